import { Voters } from "../../certify/voters.ts";
import type { Votes } from "../../certify/votes.ts";
import { breathe } from "../../core/breathe.ts";
import type { StopSignal } from "../../core/stop-signal.ts";
import { workSideBySide } from "../node-workers/work-side-by-side.ts";
import type { Session } from "../session.ts";
import type { NamedModel } from "./named-model.ts";
import type { BatchVotes } from "./serve-votes.ts";
import { shareJob, type VoteJob } from "./vote-job.ts";

/** A job of counting votes, with the session and models of the calling thread. */
export interface Counting {
  readonly session: Pick<Session, "threads" | "graph" | "view">;
  readonly models: readonly NamedModel[];
  readonly job: Omit<VoteJob, "graph">;
  readonly signal: StopSignal | undefined;
}

/** Fewest batches for which threads pay: each thread reads the program, the graph and the models anew. */
const PAYS_FROM = 4;

/**
 * The votes of each batch, in order unless interrupted. Several threads count batches of their own; this thread counts
 * all if there are few batches, the session has one thread, or a GPU computes.
 */
export function countBatches(counting: Counting): AsyncGenerator<BatchVotes> {
  const { session, job } = counting;
  const threads = Math.min(session.threads, job.batches.length);
  return threads > 1 && job.batches.length >= PAYS_FROM ? sideBySide(counting, threads) : inTurn(counting);
}

function sideBySide({ session, job, signal }: Counting, threads: number): AsyncGenerator<BatchVotes> {
  const file = new URL(import.meta.url.replace(/count-batches(\.[jt]s)$/, "worker$1"));
  const work = { job: shareJob(session.graph, job), places: job.batches.length, threads, file, name: "rgnn-votes" };
  return workSideBySide(work, { signal });
}

async function* inTurn({ session, models, job, signal }: Counting): AsyncGenerator<BatchVotes> {
  if (job.batches.length === 0) return;
  const classifiers = models.map(({ model }) => model);
  const voters = new Voters(classifiers, session.view, job.noise, job.noiseSeed);
  const onDevice = voters.drawings.every((drawing) => drawing === "device");
  const count = (place: number) => voters.count(job.batches[place].first, job.batches[place].end);
  let ahead: Promise<Votes[]> | null = null; // a GPU counts the next batch while this one's votes are read back
  try {
    for (const place of job.batches.keys()) {
      if (signal?.aborted) return;
      const counted = ahead ?? count(place);
      ahead = onDevice && place + 1 < job.batches.length ? count(place + 1) : null;
      const votes = await counted;
      yield { place, counts: votes.map((ofModel) => ofModel.counts) };
      await breathe(); // lets Ctrl-C and timers through
    }
  } finally {
    await ahead?.catch(() => {}); // these votes are not needed any more
    voters.dispose();
  }
}
