import { formatCsvLine } from "../formats/csv-line.ts";
import type { ListedGraph } from "./listed-graph.ts";

/** The tables of a graph, each as text. Those of labels and features have a column of node ids. */
export interface CsvFiles {
  readonly edges: string;
  readonly features: string;
  readonly labels: string;
  /** Ids of the nodes of each set, or undefined without a split. */
  readonly split: string | undefined;
}

export function formatCsvFiles(listed: ListedGraph): CsvFiles {
  const { nodes, edges, numFeatures } = listed;
  const table = (header: readonly string[], rows: readonly (readonly (string | number)[])[]) =>
    [header, ...rows].map((row) => `${formatCsvLine(row)}\n`).join("");
  const columns = Array.from({ length: numFeatures }, (_, k) => `f${k}`);
  return {
    edges: table(["source", "target"], edges),
    features: table(
      ["id", ...columns],
      nodes.map(({ id, features }) => [id, ...features]),
    ),
    labels: table(
      ["id", "label"],
      nodes.map(({ id, label }) => [id, label ?? "nan"]),
    ),
    split: splitFile(listed),
  };
}

/** Ids of the nodes of each set as JSON, or undefined without a split. */
export function splitFile({ nodes }: ListedGraph): string | undefined {
  const idsOf = (set: string) => nodes.filter((node) => node.set === set).map(({ id }) => id);
  const split = { train: idsOf("train"), val: idsOf("val"), test: idsOf("test") };
  return nodes.some(({ set }) => set !== null) ? `${JSON.stringify(split)}\n` : undefined;
}
