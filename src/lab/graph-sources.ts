import { check, DataError, lookup } from "../core/errors.ts";
import { NodeIds } from "../data/node-ids.ts";
import { type LoadedGraph, preprocess } from "../data/preprocess.ts";
import { readGraphFile, readGraphFiles } from "../data/read-graph-files.ts";
import { filesInMemory } from "../data/readers/file-set.ts";
import { syntheticCitation } from "../data/synthetic/synthetic-citation.ts";
import { generateShape } from "../graph/generate-shape.ts";
import { Graph } from "../graph/graph.ts";
import { scaleShape, shapeNamed } from "../graph/shapes.ts";
import type { Choice } from "./calls.ts";
import { Fields } from "./fields.ts";

/** Provides graphs in addition to the built-in ones: on a server, the datasets on its disk. */
export interface GraphLoader {
  list(): readonly Choice[];
  load(name: string): Promise<LoadedGraph>;
}

interface BuiltIn {
  readonly summary: string;
  make(): Graph;
}

/** Graphs that need no files. */
const builtIn: Readonly<Record<string, BuiltIn>> = {
  "synthetic-citation": {
    summary: "made-up citations between 2,810 papers in 7 fields",
    make: () => syntheticCitation(),
  },
  "synthetic-large": {
    summary: "20,000 nodes in 3 classes, with the degrees of PubMed",
    make: () => generateShape({ ...scaleShape(shapeNamed("pubmed"), 20_000 / 19_717), numFeatures: 64 }),
  },
};

export function listGraphs(loader: GraphLoader | undefined): Choice[] {
  const own = Object.entries(builtIn).map(([name, { summary }]) => ({ name, summary }));
  return [...own, ...(loader?.list() ?? [])];
}

/** The graph of this name. */
export async function loadNamed(name: string, loader: GraphLoader | undefined): Promise<LoadedGraph> {
  if (loader?.list().some((each) => each.name === name)) return loader.load(name);
  const graph = new Graph({ ...lookup(builtIn, name, "graph").make(), name });
  const ids = NodeIds.numbered(graph.numNodes, name);
  const classes = Array.from({ length: graph.numClasses }, (_, label) => String(label));
  const dropped = { nodes: 0, edges: 0, selfLoops: 0, zeros: 0, weights: 0 };
  return { graph, ids, classes, dropped, notes: [] };
}

/** The graph in dropped files, read by the readers of `data`, which check their input. */
export async function loadFiles(files: readonly unknown[]): Promise<LoadedGraph> {
  check(files.length > 0, () => "there is no file; drop a file with a graph, or a folder", DataError);
  const contents: Record<string, Uint8Array> = {};
  for (const file of files) {
    const fields = new Fields("graph: a file", file);
    contents[fields.text("name")] = fields.bytes("bytes");
    fields.end();
  }
  const names = Object.keys(contents);
  const set = filesInMemory(contents);
  return preprocess(names.length === 1 ? await readGraphFile(set, names[0]) : await readGraphFiles(set));
}
