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

/** What people call a class: its name, or "class 3" where it has none but its number. */
export function className({ classes }: OpenedGraph, label: number): string {
  if (label < 0) return "no class";
  const name = classes[label];
  return /^\d+$/.test(name) ? `class ${name}` : name;
}

/** What the input calls a node. */
export function nodeName({ ids }: OpenedGraph, node: number): string {
  return String(ids ? ids[node] : node);
}

/** The node that a user means: by what the input calls it. Null if there is none. */
export function nodeNamed({ ids, numNodes }: OpenedGraph, text: string): number | null {
  const name = text.trim();
  const node = ids ? ids.findIndex((id) => String(id) === name) : /^\d+$/.test(name) ? Number(name) : -1;
  return node >= 0 && node < numNodes ? node : null;
}
