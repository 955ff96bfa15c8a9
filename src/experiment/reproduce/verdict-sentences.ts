import type { Published } from "./published.ts";

/** A row of a table that may have been compared with a published one. */
interface ComparedRow {
  readonly mean: number;
  readonly published: Published | null;
  readonly standardError: number | null;
  readonly interval: readonly [number, number] | null;
  readonly verdict: string;
}

/** Which cells differ, how small a difference could have been seen, and which cells are worth another look. */
export function verdictSentences<Row extends ComparedRow>(
  rows: readonly Row[],
  whereAndHow: (row: Row) => string,
): string[] {
  const counted = rows.filter(({ interval }) => interval !== null);
  if (counted.length === 0) return [];
  const differing = counted.filter(({ verdict }) => verdict !== "within");
  const reach = median(counted.map(({ interval }) => (interval![1] - interval![0]) / 2));
  const apart = counted.filter((row) => Math.abs(row.mean - row.published!.mean) > 2 * row.standardError!);
  const list = (some: readonly Row[]) => some.map(whereAndHow).join("; ") || "none";
  return [
    `Cells that differ from the published ones by more than chance explains: ${differing.length} of ${counted.length}${differing.length > 0 ? `: ${list(differing)}` : ""}.`,
    `Half of the intervals reach further than ±${reach.toFixed(3)}: smaller differences cannot be seen with so few seeds.`,
    `More than two standard errors apart, as one cell in eight is by chance with three seeds on each side: ${list(apart)}.`,
  ];
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1];
}
