import { check, DataError, lookup } from "../core/errors.ts";
import type { Json } from "../core/options/index.ts";
import { NodeIds } from "../data/node-ids.ts";
import { type LoadedGraph, preprocess } from "../data/preprocess.ts";
import { readGraphFile, readGraphFiles } from "../data/read-graph-files.ts";
import { filesInMemory } from "../data/readers/file-set.ts";
import { syntheticCitation } from "../data/synthetic/synthetic-citation.ts";
import { generateShape } from "../graph/generate-shape.ts";
import type { Graph } from "../graph/graph.ts";
import { scaleShape, shapeNamed } from "../graph/shapes.ts";
import type { Choice } from "./calls.ts";
import { Fields } from "./fields.ts";

/** Graphs beside those that are built in: on a server, the datasets that it finds on its disk. */
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
  const graph = lookup(builtIn, name, "graph").make();
  const ids = NodeIds.numbered(graph.numNodes, name);
  const classes = Array.from({ length: graph.numClasses }, (_, label) => String(label));
  const dropped = { nodes: 0, edges: 0, selfLoops: 0, zeros: 0, weights: 0 };
  return { graph, ids, classes, dropped, notes: [] };
}

/** The graph that files hold, read by the checked readers; their contents are base64. */
export async function loadFiles(files: readonly Json[]): Promise<LoadedGraph> {
  check(files.length > 0, () => "open: there is no file; drop a file with a graph, or a folder", DataError);
  const contents: Record<string, Uint8Array> = {};
  for (const file of files) {
    const fields = new Fields("open: a file", file);
    const path = fields.text("path");
    const content = fields.text("content");
    fields.end();
    contents[path] = bytesOf(path, content);
  }
  const paths = Object.keys(contents);
  const set = filesInMemory(contents);
  return preprocess(paths.length === 1 ? await readGraphFile(set, paths[0]) : await readGraphFiles(set));
}

function bytesOf(path: string, base64: string): Uint8Array {
  try {
    return Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
  } catch {
    throw new DataError(`${path}: its content must be base64`);
  }
}
