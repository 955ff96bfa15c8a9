import type { FlipLedger, Pair } from "./flip-ledger.ts";

/** Changes whose gain is computed again together. */
const BATCH = 4;

/** A change, with its gain when it was last computed. */
interface Entry {
  readonly pair: Pair;
  score: number;
  potential: number;
  /** How many changes had been made at that time. */
  version: number;
}

/** Which changes to make. */
export interface Taking {
  /** Most of them. */
  readonly count: number;
  /** Whether a change of this gain should be made. */
  readonly pays: (score: number, potential: number) => boolean;
}

/**
 * Toggles pairs one after the other, the best first, as long as they pay. Every change may alter the gains of those
 * after it, so the best ones are tried again before one is made; the others keep an old gain until they come to the
 * front. Returns the pairs that were not toggled although each would lower the score on its own.
 */
export async function takeBest(ledger: FlipLedger, pairs: readonly Pair[], { count, pays }: Taking): Promise<Pair[]> {
  const queue = (await rated(ledger, pairs, 0)).sort(byGain);
  for (let made = 0; made < count && queue.length > 0; ) {
    const [head] = queue;
    if (head.version === made) {
      if (!pays(head.score, head.potential)) break;
      queue.shift();
      await ledger.toggle([head.pair]);
      made++;
    } else {
      const front = queue.splice(0, BATCH).map(({ pair }) => pair);
      const permitted = front.filter((pair) => ledger.permits(pair));
      for (const entry of await rated(ledger, permitted, made)) insert(queue, entry);
    }
  }
  return queue.filter(({ score }) => score < 0).map(({ pair }) => pair);
}

async function rated(ledger: FlipLedger, pairs: readonly Pair[], version: number): Promise<Entry[]> {
  const { score, potential } = await ledger.gains(pairs);
  return pairs.map((pair, k) => ({ pair, score: score[k], potential: potential[k], version }));
}

function byGain(a: Entry, b: Entry): number {
  return a.score - b.score || a.potential - b.potential;
}

/** Puts an entry at its place in a sorted queue. */
function insert(queue: Entry[], entry: Entry): void {
  let low = 0;
  let high = queue.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (byGain(queue[middle], entry) < 0) low = middle + 1;
    else high = middle;
  }
  queue.splice(low, 0, entry);
}
