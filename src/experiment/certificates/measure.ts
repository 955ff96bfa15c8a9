import { existsSync } from "node:fs";
import { join } from "node:path";
import { Interrupted } from "../../core/errors.ts";
import { samplesIn } from "../../files/votes-file.ts";
import { evaluate } from "../../nn/training/evaluate.ts";
import { certifiedNodes } from "../certify/certify-report.ts";
import { type CollectedVotes, collectVotes } from "../certify/collect-votes.ts";
import type { NamedModel } from "../certify/named-model.ts";
import type { RunOptions } from "../reproduce/run-measurements.ts";
import { openSession, type Session } from "../session.ts";
import { ALPHA, type NoiseName, noiseOf, noises, SAMPLES, type VotingGroup } from "./cells.ts";
import { withTrainedWeights } from "./trained-weights.ts";

/** One model and seed under one setting of the noise. */
export interface CertificateCell {
  readonly dataset: string;
  readonly model: string;
  readonly seed: number;
  readonly noise: NoiseName;
  /** Noisy graphs that bound probabilities. */
  readonly samples: number;
  /** Of counting the votes of all models and seeds that vote on the same graphs. */
  readonly seconds: number;
  /** Of the model itself, without noise. */
  readonly accuracy: number;
  readonly smoothedAccuracy: number;
  readonly accumulated: number;
}

/** What is to be measured, and where weights and votes are kept, so that a measurement that was stopped goes on. */
export interface CertificatePlan {
  readonly datasets: readonly string[];
  readonly seeds: readonly number[];
  readonly folder: string;
  /** Noisy graphs that bound probabilities, in each cell. */
  readonly samples: number;
  readonly groups: readonly VotingGroup[];
}

/** Samples that every cell has before any has more: a table that was stopped has cells of about equal worth. */
const ROUND = 250;
/** Of the noisy graphs. */
const NOISE_SEED = 0;

/** Counts the votes of all cells; ended early, those that are counted are kept. */
export async function countVotes(plan: CertificatePlan, options: RunOptions): Promise<void> {
  try {
    for (const group of plan.groups) {
      for (let target = Math.min(ROUND, plan.samples); target <= plan.samples; target += ROUND) {
        for (const dataset of plan.datasets) await countGroup(plan, dataset, group, target, options);
      }
    }
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
  }
}

/** What the votes that were counted say. */
export async function readCells(plan: CertificatePlan, options: RunOptions): Promise<CertificateCell[]> {
  const cells: CertificateCell[] = [];
  for (const dataset of plan.datasets) {
    for (const group of plan.groups) {
      const measured = noiseNames.filter((noise) => existsSync(votesFile(plan, dataset, group, noise)));
      if (measured.length === 0) continue;
      await withVoters(plan, dataset, group, options, async (session, voters) => {
        for (const noise of measured) cells.push(...(await cellsOf(plan, session, group, noise, voters)));
      });
    }
  }
  return cells;
}

const noiseNames = Object.keys(noises) as NoiseName[];

async function countGroup(
  plan: CertificatePlan,
  dataset: string,
  group: VotingGroup,
  target: number,
  options: RunOptions,
): Promise<void> {
  const unfinished = noiseNames.filter((noise) => samplesIn(votesFile(plan, dataset, group, noise)).bounding < target);
  if (unfinished.length === 0) return;
  const { steps, signal } = options;
  await withVoters(plan, dataset, group, options, async (session, voters) => {
    for (const noise of unfinished) {
      const progress = steps.begin(`${dataset}: ${group.name} votes under noise ${noise}, ${target} samples`);
      const samples = { choosing: SAMPLES.choosing, bounding: target };
      const task = voteTask(plan, session, group, noise, voters);
      const { interrupted, seconds } = await collectVotes(
        session,
        { ...task, samples },
        { progress, ...(signal && { signal }) },
      );
      steps.end(`${seconds.toFixed(0)} s`);
      if (interrupted) throw new Interrupted("interrupted; the votes so far are kept");
    }
  });
}

/** A model of each kind and seed of a group. */
interface Voter extends NamedModel {
  readonly seed: number;
}

async function withVoters(
  { seeds, folder }: CertificatePlan,
  dataset: string,
  { models }: VotingGroup,
  options: RunOptions,
  work: (session: Session, voters: readonly Voter[]) => Promise<void>,
): Promise<void> {
  const session = await openSession({ ...options.where, dataset, binaryFeatures: true });
  const voters: Voter[] = [];
  try {
    for (const model of models) {
      for (const seed of seeds) {
        const file = join(folder, `${dataset}-${model}-${seed}.safetensors`);
        voters.push({ seed, ...(await withTrainedWeights(session, { model, seed }, file, options)) });
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
  const { accuracy: smoothedAccuracy, accumulated } = certifiedNodes(votes[m], test, labels, {
    noise: noiseOf(noise),
    alpha: ALPHA,
  });
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
  };
}
