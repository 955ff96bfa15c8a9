/** Noisy graphs that are voted on together, by their numbers, and the count that they belong to. */
export interface VoteBatch {
  readonly count: VoteCount;
  readonly first: number;
  readonly end: number;
}

/** The votes that choose a class, and those that bound how often it is chosen. */
export type VoteCount = "choosing" | "bounding";

/** A number of noisy graphs for each count. */
export type SampleCounts = Readonly<Record<VoteCount, number>>;

/** Numbers of the graphs that choose classes: far from the others, so that more of either can be asked for later. */
const CHOOSING_FROM = 2 ** 31;

/** What is left to do of the graphs that were asked for, in batches. Both counts go through their numbers in order. */
export function voteBatches(done: SampleCounts, wanted: SampleCounts, size: number): VoteBatch[] {
  return [...batchesOf("choosing", done, wanted, size), ...batchesOf("bounding", done, wanted, size)];
}

function batchesOf(count: VoteCount, done: SampleCounts, wanted: SampleCounts, size: number): VoteBatch[] {
  const offset = count === "choosing" ? CHOOSING_FROM : 0;
  const batches: VoteBatch[] = [];
  for (let first = done[count]; first < wanted[count]; first += size) {
    const end = Math.min(first + size, wanted[count]);
    batches.push({ count, first: offset + first, end: offset + end });
  }
  return batches;
}
