import type { Graph } from "../../graph/graph.ts";
import { formatParquet, idsColumn, type WrittenColumn } from "../formats/format-parquet.ts";
import { splitFile } from "./csv-files.ts";
import type { GraphFiles } from "./format-graph.ts";
import type { GraphContext } from "./graph-context.ts";
import { listGraph } from "./listed-graph.ts";

/** The tables of a graph as parquet: edges at `path`, features and labels beside it, both with a column of node ids. */
export async function formatParquetFiles(graph: Graph, context: GraphContext, path: string): Promise<GraphFiles> {
  const listed = listGraph(graph, context);
  const { nodes, edges, numFeatures } = listed;
  const prefix = path.replace(/parquet$/, "");
  const split = splitFile(listed);
  const ids = idsColumn(
    "id",
    nodes.map(({ id }) => id),
  );
  const features = Array.from({ length: numFeatures }, (_, k): WrittenColumn => {
    const data = nodes.map((node) => node.features[k]);
    return { name: `f${k}`, type: "FLOAT", data };
  });
  const isNumbered = nodes.every(({ label }) => label === null || String(Number(label) | 0) === label);
  const labels: WrittenColumn = isNumbered
    ? { name: "label", type: "INT32", data: nodes.map(({ label }) => (label === null ? null : Number(label))) }
    : { name: "label", type: "STRING", data: nodes.map(({ label }) => label) };
  const sources = idsColumn(
    "source",
    edges.map(([source]) => source),
  );
  const targets = idsColumn(
    "target",
    edges.map(([, target]) => target),
  );
  return {
    [path]: await formatParquet([sources, targets]),
    [`${prefix}features.parquet`]: await formatParquet([ids, ...features]),
    [`${prefix}labels.parquet`]: await formatParquet([ids, labels]),
    ...(split !== undefined && { [`${prefix}split.json`]: split }),
  };
}
