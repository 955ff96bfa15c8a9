import type { OpenedGraph } from "rgnn/lab";

const whole = new Intl.NumberFormat("en");

/** 7,981 */
export function count(value: number): string {
  return whole.format(value);
}

/** "1 edge", "2 edges" */
export function counted(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

/** 0.8245 as "82.5%" */
export function percent(share: number, digits = 1): string {
  return `${(100 * share).toFixed(digits)}%`;
}

/** The name of a class, or "class 3" if its name is just a number. */
export function className({ classes }: OpenedGraph, label: number): string {
  if (label < 0) return "no class";
  const name = classes[label];
  return /^\d+$/.test(name) ? `class ${name}` : name;
}

/** The id of a node, which is its number if the input has no ids. */
export function nodeName({ ids }: OpenedGraph, node: number): string {
  return String(ids ? ids[node] : node);
}

/** The node with this id; null if there is none. */
export function nodeNamed({ ids, numNodes }: OpenedGraph, text: string): number | null {
  const name = text.trim();
  const node = ids ? ids.findIndex((id) => String(id) === name) : /^\d+$/.test(name) ? Number(name) : -1;
  return node >= 0 && node < numNodes ? node : null;
}
