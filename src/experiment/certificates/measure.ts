import { existsSync } from "node:fs";
import { join } from "node:path";
import type { SmoothedVotes } from "../../certify/certificates.ts";
import { Votes } from "../../certify/votes.ts";
import { Interrupted } from "../../core/errors.ts";
import { samplesIn } from "../../files/votes-file.ts";
import { evaluate } from "../../nn/training/evaluate.ts";
import type { Watch } from "../../nn/training/train.ts";
import { certifiedNodes } from "../certify/certify-report.ts";
import { type CollectedVotes, collectVotes } from "../certify/collect-votes.ts";
import type { NamedModel } from "../certify/named-model.ts";
import { openSession, type Session, type SessionOptions } from "../session.ts";
import { ALPHA, type NoiseName, noiseOf, noises, SAMPLES, type VotingGroup } from "./cells.ts";
import { withTrainedWeights } from "./trained-weights.ts";
import { VotesInAll } from "./votes-in-all.ts";

/** One model and seed under one setting of the noise. */
export interface CertificateCell {
  readonly dataset: string;
  readonly model: string;
  readonly seed: number;
  readonly noise: NoiseName;
  /** Noisy graphs that bound probabilities. */
  readonly samples: number;
  /** Time of counting votes, for all models and seeds that vote on the same graphs together. */
  readonly seconds: number;
  /** Accuracy of the model itself, without noise. */
  readonly accuracy: number;
  readonly smoothedAccuracy: number;
  readonly accumulated: number;
  /**
   * `accumulated` projected to the published number of samples, with votes in the same proportions; null if there are
   * as many samples.
   */
  readonly projected: number | null;
}

/** What to measure, and the folder of weights and votes, from which a stopped measurement continues. */
export interface CertificatePlan {
  readonly datasets: readonly string[];
  readonly seeds: readonly number[];
  readonly folder: string;
  /** Noisy graphs that bound probabilities, in each cell. */
  readonly samples: number;
  /** Device and other options of the session. */
  readonly where: Omit<SessionOptions, "dataset">;
  readonly groups: readonly VotingGroup[];
}

/** How a measurement is watched. */
export interface TableWatch extends Watch {
  /** Receives a line for each step that begins. */
  readonly tell?: (line: string) => void;
  /** Receives how much of the work was done before, ahead of any progress. */
  readonly goOn?: (done: number, total: number) => void;
}

/** Seed of the noisy graphs. */
const NOISE_SEED = 0;

/** Counts the votes of all cells. If interrupted, the votes so far are kept. */
export async function countVotes(plan: CertificatePlan, watch: TableWatch = {}): Promise<void> {
  try {
    for (const group of plan.groups) {
      const files = plan.datasets.flatMap((dataset) =>
        noiseNames.map((noise) => votesFile(plan, dataset, group, noise)),
      );
      const inAll = new VotesInAll(files, SAMPLES.choosing + plan.samples, watch.progress);
      for (let done = 0; done < plan.samples; done += group.round) {
        const target = Math.min(done + group.round, plan.samples);
        for (const dataset of plan.datasets) await countGroup(plan, dataset, group, target, { ...watch, inAll });
      }
    }
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
  }
}

/** Computes the cells from the votes counted so far. */
export async function readCells(plan: CertificatePlan, watch: TableWatch = {}): Promise<CertificateCell[]> {
  const cells: CertificateCell[] = [];
  for (const dataset of plan.datasets) {
    for (const group of plan.groups) {
      const measured = noiseNames.filter((noise) => existsSync(votesFile(plan, dataset, group, noise)));
      if (measured.length === 0) continue;
      await withVoters(plan, dataset, group, watch, async (session, voters) => {
        for (const noise of measured) cells.push(...(await cellsOf(plan, session, group, noise, voters)));
      });
    }
  }
  return cells;
}

const noiseNames = Object.keys(noises) as NoiseName[];

/** How the votes of a group are watched. */
interface GroupWatch extends TableWatch {
  readonly inAll: VotesInAll;
}

async function countGroup(
  plan: CertificatePlan,
  dataset: string,
  group: VotingGroup,
  target: number,
  { inAll, ...watch }: GroupWatch,
): Promise<void> {
  const unfinished = noiseNames.filter((noise) => samplesIn(votesFile(plan, dataset, group, noise)).bounding < target);
  if (unfinished.length === 0) return;
  const training = { ...watch, progress: inAll.before };
  await withVoters(plan, dataset, group, training, async (session, voters) => {
    watch.goOn?.(inAll.done, inAll.total); // after training, which says nothing about the time that votes take
    for (const noise of unfinished) {
      watch.tell?.(`${dataset}: votes of ${group.name} under noise ${noise}, up to ${target} samples`);
      const samples = { choosing: SAMPLES.choosing, bounding: target };
      const task = voteTask(plan, session, group, noise, voters);
      const counting = { ...watch, progress: inAll.into(task.file) };
      const { interrupted } = await collectVotes(session, { ...task, samples }, counting);
      if (interrupted) throw new Interrupted("interrupted; the votes so far are kept");
    }
  });
}

/** A model of a group, trained with one seed. */
interface Voter extends NamedModel {
  readonly seed: number;
}

async function withVoters(
  { seeds, folder, where }: CertificatePlan,
  dataset: string,
  { models }: VotingGroup,
  watch: TableWatch,
  work: (session: Session, voters: readonly Voter[]) => Promise<void>,
): Promise<void> {
  const session = await openSession({ ...where, dataset, binaryFeatures: true });
  const voters: Voter[] = [];
  try {
    for (const model of models) {
      for (const seed of seeds) {
        const file = join(folder, `${dataset}-${model}-${seed}.safetensors`);
        voters.push({ seed, ...(await withTrainedWeights(session, { model, seed }, file, watch)) });
      }
    }
    await work(session, voters);
  } finally {
    for (const { model } of voters) model.dispose();
    await session.close();
  }
}

function voteTask(
  plan: CertificatePlan,
  session: Session,
  group: VotingGroup,
  noise: NoiseName,
  models: readonly Voter[],
) {
  const file = votesFile(plan, session.dataset, group, noise);
  return { models, noise: noiseOf(noise), noiseSeed: NOISE_SEED, file };
}

function votesFile({ folder, seeds }: CertificatePlan, dataset: string, group: VotingGroup, noise: NoiseName): string {
  return join(folder, `votes-${dataset}-${group.name}-${noise}-${seeds.join("-")}.safetensors`);
}

async function cellsOf(
  plan: CertificatePlan,
  session: Session,
  group: VotingGroup,
  noise: NoiseName,
  voters: readonly Voter[],
): Promise<CertificateCell[]> {
  const task = voteTask(plan, session, group, noise, voters);
  const held = samplesIn(task.file);
  if (held.bounding === 0) return [];
  const collected = await collectVotes(session, { ...task, samples: held });
  return Promise.all(voters.map((voter, m) => cellOf(session, noise, voter, collected, m)));
}

async function cellOf(
  session: Session,
  noise: NoiseName,
  { kind, model, seed }: Voter,
  { votes, seconds }: CollectedVotes,
  m: number,
): Promise<CertificateCell> {
  const { test } = session.split(seed);
  const { labels } = session.graph;
  const options = { noise: noiseOf(noise), alpha: ALPHA };
  const { accuracy: smoothedAccuracy, accumulated } = certifiedNodes(votes[m], test, labels, options);
  const isWhole = votes[m].bounding.samples >= SAMPLES.bounding;
  const projected = isWhole ? null : certifiedNodes(projectedVotes(votes[m]), test, labels, options).accumulated.edges;
  const accuracy = await evaluate(model, session.view, test);
  const { samples } = votes[m].bounding;
  const { dataset } = session;
  return {
    dataset,
    model: kind,
    seed,
    noise,
    samples,
    seconds,
    accuracy,
    smoothedAccuracy,
    accumulated: accumulated.edges,
    projected,
  };
}

/** Scales votes to the published number of samples, in the same proportions. */
function projectedVotes({ choosing, bounding }: SmoothedVotes): SmoothedVotes {
  const { numNodes, numClasses, samples } = bounding;
  const counts = bounding.counts.map((count) => Math.round((count * SAMPLES.bounding) / samples));
  return { choosing, bounding: new Votes(numNodes, numClasses, counts, SAMPLES.bounding) };
}
