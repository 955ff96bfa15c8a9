import type { SmoothedVotes } from "../../certify/certificates.ts";
import { type SampleCounts, voteBatches } from "../../certify/vote-batches.ts";
import type { Drawing } from "../../certify/voters.ts";
import { Votes } from "../../certify/votes.ts";
import { check, Interrupted } from "../../core/errors.ts";
import { silent } from "../../core/progress.ts";
import { type KeptVotes, VotesFile } from "../../files/votes-file.ts";
import { checkNoise, type Noise } from "../../graph/noise/noise.ts";
import type { Session } from "../session.ts";
import type { RunWatch } from "../trained-model.ts";
import { countBatches } from "./count-batches.ts";
import type { NamedModel } from "./named-model.ts";
import { weightsOf } from "./vote-job.ts";
import { votesIdentity } from "./votes-identity.ts";
import { votingPlan } from "./voting-plan.ts";

/** What models vote on, and how often. */
export interface VoteTask {
  readonly models: readonly NamedModel[];
  readonly noise: Noise;
  /** Seed of the noisy graphs, which are the same for all models. */
  readonly noiseSeed: number;
  readonly samples: SampleCounts;
  /** File for votes, to continue from after a kill; none by default. */
  readonly file?: string;
}

/** Votes; fewer than asked for if the work was interrupted. */
export interface CollectedVotes {
  /** Votes of each model. */
  readonly votes: readonly SmoothedVotes[];
  readonly interrupted: boolean;
  /** Time of counting, including earlier runs that this one continued. */
  readonly seconds: number;
}

/** Counts beyond this would not be exact in a file of votes. */
const MOST_SAMPLES = 2 ** 24;
/** Least milliseconds between two saves: a kill loses that much work, and the unfinished batches. */
const SAVES_AFTER = 2000;

/**
 * Lets models vote on noisy versions of the graph of a session, on as many threads as it has. A noisy graph is
 * determined by its number, so votes depend neither on the number of threads nor on whether the work was killed and
 * continued from a file.
 */
export async function collectVotes(session: Session, task: VoteTask, watch: RunWatch = {}): Promise<CollectedVotes> {
  const { numNodes, numClasses } = session.graph;
  const { models, noise, noiseSeed, samples, file } = task;
  const { progress = silent, signal } = watch;
  checkNoise(noise);
  for (const count of Object.values(samples)) {
    check(
      count >= 1 && count <= MOST_SAMPLES,
      () => `certify: takes 1 to ${MOST_SAMPLES} samples of each kind, got ${count}`,
    );
  }
  const weights = await weightsOf(models, session.graph);
  const identity = votesIdentity(session.graph, task, weights);
  const kept =
    file === undefined ? null : new VotesFile(file, { models: models.length, numNodes, numClasses, identity });
  const before = kept?.load() ?? null;
  const votes = before?.votes ?? models.map(() => noVotes(numNodes, numClasses));
  const done = samplesOf(votes);
  checkDone(file, done, samples);
  const total = samples.choosing + samples.bounding;
  if (before && sumOf(done) === total) return { votes, interrupted: false, seconds: before.seconds }; // read on any device
  const { drawings, batch } = votingPlan(session.view, task);
  const halves = session.view.backend.noisyGraphs?.halves ?? false;
  checkDrawings(file, before, drawings);
  checkPrecision(file, before, halves);
  const batches = voteBatches(done, samples, batch);
  const begin = performance.now();
  const secondsBefore = before?.seconds ?? 0;
  const seconds = () => secondsBefore + (performance.now() - begin) / 1000;
  let savedAt = begin;
  let merged = 0;
  const job = { noise, noiseSeed, models: weights, batches };
  for await (const { place, counts } of countBatches({ session, models, job, signal })) {
    if (place > merged) break; // interrupted: batches after a gap are drawn again when the work continues
    const { count, first, end } = batches[merged++];
    for (const [m, ofModel] of votes.entries()) {
      ofModel[count].addAll(new Votes(numNodes, numClasses, counts[m], end - first));
    }
    progress.update(sumOf(samplesOf(votes)), total, "noisy graphs");
    if (!kept || performance.now() - savedAt < SAVES_AFTER) continue;
    await kept.save({ votes, seconds: seconds(), drawings, halves });
    savedAt = performance.now();
  }
  if (merged > 0) await kept?.save({ votes, seconds: seconds(), drawings, halves });
  const now = samplesOf(votes);
  const interrupted = sumOf(now) < total;
  if (interrupted && now.bounding === 0)
    throw new Interrupted("interrupted before there were votes; there is no result");
  return { votes, interrupted, seconds: merged > 0 ? seconds() : secondsBefore };
}

function noVotes(numNodes: number, numClasses: number): SmoothedVotes {
  return { choosing: new Votes(numNodes, numClasses), bounding: new Votes(numNodes, numClasses) };
}

/** All models have voted equally often. */
function samplesOf(votes: readonly SmoothedVotes[]): SampleCounts {
  return { choosing: votes[0].choosing.samples, bounding: votes[0].bounding.samples };
}

function sumOf({ choosing, bounding }: SampleCounts): number {
  return choosing + bounding;
}

/** A file with more votes than asked for is an error: they are another result, not a part of this one. */
function checkDone(file: string | undefined, done: SampleCounts, wanted: SampleCounts): void {
  check(
    done.choosing <= wanted.choosing && done.bounding <= wanted.bounding,
    () =>
      `${file}: holds ${done.bounding} samples and ${done.choosing} before them, more than asked for; ask for as many, or name another file`,
  );
}

/**
 * A GPU draws other noisy graphs than the CPU. A mix would be as good a sample, but which one would depend on where a
 * run was stopped (rule R1).
 */
function checkDrawings(file: string | undefined, before: KeptVotes | null, drawings: readonly Drawing[]): void {
  const other = before?.drawings.find((drawing, m) => drawing !== drawings[m]);
  check(
    other === undefined,
    () =>
      `${file}: holds votes on graphs that were drawn on the ${other === "device" ? "GPU" : "CPU"}; go on with the --device that they were counted on, or name another file`,
  );
}

/** A model may vote differently in half precision, and a certificate is about one model. */
function checkPrecision(file: string | undefined, before: KeptVotes | null, halves: boolean): void {
  check(
    before === null || before.halves === halves,
    () =>
      `${file}: holds votes of models in ${before?.halves ? "half" : "single"} precision; go on with the --precision that they were counted in, or name another file`,
  );
}
