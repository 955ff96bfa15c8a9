import type { ListedGraph } from "./listed-graph.ts";

/** A graph as GraphML, which networkx, Gephi and igraph read. The attributes of a node are label, split and f0, f1, … */
export function formatGraphMl({ nodes, edges, numFeatures, directed }: ListedGraph): string {
  const features = Array.from({ length: numFeatures }, (_, k) => k);
  const counts = Object.keys(nodes[0]?.counts ?? {});
  const key = (id: string, name: string, type: string) =>
    `<key id="${id}" for="node" attr.name="${name}" attr.type="${type}"/>`;
  const data = (id: string, value: string | number | null) =>
    value === null ? "" : `<data key="${id}">${escaped(String(value))}</data>`;
  const lines = [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">',
    key("label", "label", "string"),
    key("split", "split", "string"),
    ...counts.map((name) => key(name, name, "int")),
    ...features.map((k) => key(`f${k}`, `f${k}`, "double")),
    `<graph edgedefault="${directed ? "directed" : "undirected"}">`,
    ...nodes.map((node) => {
      const known = counts.map((name) => data(name, node.counts![name]));
      const values = [...known, ...features.map((k) => data(`f${k}`, node.features[k]))].join("");
      return `<node id="${escaped(String(node.id))}">${data("label", node.label)}${data("split", node.set)}${values}</node>`;
    }),
    ...edges.map(([from, to]) => `<edge source="${escaped(String(from))}" target="${escaped(String(to))}"/>`),
    "</graph>",
    "</graphml>",
    "",
  ];
  return lines.join("\n");
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
