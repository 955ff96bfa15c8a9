import type { Flips } from "../graph/flips.ts";

/**
 * The flips `made`, in ascending order, with `more` toggled: a pair that is in both is undone. The result is in ascending
 * order. Time is linear in `made`, as a greedy attack adds a few in each of many steps.
 */
export function toggleFlips(made: Flips, more: Flips): Flips {
  const fresh = ascending(more);
  const length = made.sources.length + fresh.length;
  const [sources, targets] = [new Int32Array(length), new Int32Array(length)];
  let end = 0;
  const keep = (flips: Flips, k: number) => {
    sources[end] = flips.sources[k]!;
    targets[end++] = flips.targets[k]!;
  };
  let m = 0;
  for (const f of fresh) {
    while (m < made.sources.length && compare(made, m, more, f) < 0) keep(made, m++);
    if (m < made.sources.length && compare(made, m, more, f) === 0) m++;
    else keep(more, f);
  }
  while (m < made.sources.length) keep(made, m++);
  return { sources: sources.slice(0, end), targets: targets.slice(0, end) };
}

/** The places of the pairs in ascending order. */
function ascending(flips: Flips): number[] {
  return Array.from(flips.sources, (_, k) => k).sort((a, b) => compare(flips, a, flips, b));
}

function compare(a: Flips, k: number, b: Flips, l: number): number {
  return a.sources[k]! - b.sources[l]! || a.targets[k]! - b.targets[l]!;
}
