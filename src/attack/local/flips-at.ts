import type { Flips } from "../../graph/flips.ts";

/** The pairs of `node` with each of `others`, named as flips are: the smaller node first, unless the graph is directed. */
export function flipsAt({ directed }: { readonly directed: boolean }, node: number, others: ArrayLike<number>): Flips {
  return {
    sources: Int32Array.from(others, (other) => (directed ? node : Math.min(node, other))),
    targets: Int32Array.from(others, (other) => (directed ? other : Math.max(node, other))),
  };
}

/** Some of the pairs, by their places. */
export function selectFlips({ sources, targets }: Flips, places: ArrayLike<number>): Flips {
  return {
    sources: Int32Array.from(places, (k) => sources[k]),
    targets: Int32Array.from(places, (k) => targets[k]),
  };
}
