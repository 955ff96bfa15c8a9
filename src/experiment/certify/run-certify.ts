import { certificatesOf, type NodeCertificate } from "../../certify/certificates.ts";
import { check } from "../../core/errors.ts";
import type { StopSignal } from "../../core/stop-signal.ts";
import { samplesIn } from "../../files/votes-file.ts";
import type { Noise } from "../../graph/noise/noise.ts";
import { checkNoise } from "../../graph/noise/noise.ts";
import { checkNoiseOn } from "../../graph/noise/noisy-graphs.ts";
import { evaluate } from "../../nn/training/evaluate.ts";
import { meanErrorOf } from "../mean-error.ts";
import type { SplitFacts } from "../opened-split.ts";
import { peakResidentBytes } from "../resident-memory.ts";
import { countLabelled } from "../run-evaluate.ts";
import type { Several } from "../run-several.ts";
import type { Session } from "../session.ts";
import {
  type NamedChoice,
  nameModel,
  openModel,
  type RunWatch,
  type TrainedChoice,
  trainIfNeeded,
} from "../trained-model.ts";
import {
  attackBand,
  type BandChoice,
  type BandPoint,
  type BandTask,
  type BudgetedFlips,
  checkBand,
  findFlips,
} from "./attack-band.ts";
import { type CertifiedNodes, certifiedNodes } from "./certify-report.ts";
import { type CollectedVotes, collectVotes } from "./collect-votes.ts";
import type { NamedModel } from "./named-model.ts";

/** How models are smoothed and with which confidence they are certified; the same for all models. */
export interface SmoothingChoice {
  readonly noise: Noise;
  /** Seed of the noisy graphs, which are the same for all models. */
  readonly noiseSeed: number;
  /** Noisy graphs whose votes bound how often a class is chosen. */
  readonly samples: number;
  /** Other noisy graphs, whose votes first choose the class of each node. */
  readonly preSamples: number;
  /** Highest probability that a certificate is wrong. */
  readonly alpha: number;
  /** File for votes, to continue from after a kill. */
  readonly votes?: string;
  /** An attack that shows, beside certificates, how low the accuracy of the smoothed model can fall. */
  readonly band?: BandChoice;
}

/** Which model is certified, on which nodes. */
export interface CertifyChoice extends TrainedChoice {
  readonly nodes: ArrayLike<number>;
}

/** What `rgnn certify` reports. */
export interface CertifyReport extends Omit<CertifiedNodes, "accuracy"> {
  readonly dataset: string;
  readonly model: string;
  readonly seed: number;
  readonly split: SplitFacts;
  readonly device: string;
  readonly noise: Noise;
  readonly noiseSeed: number;
  readonly samples: number;
  readonly preSamples: number;
  readonly alpha: number;
  /** Labelled nodes that the shares are about. */
  readonly numNodes: number;
  /** Accuracy of the model without noise, and of its smoothed version. */
  readonly accuracy: { readonly clean: number; readonly smoothed: number };
  /** Bounds on the accuracy against the strongest adversary with a budget; null without an attack. */
  readonly band: readonly BandPoint[] | null;
  /** Time of counting votes, for the models of all seeds together. */
  readonly seconds: number;
  readonly samplesPerSecond: number;
  readonly residentBytes: number;
  /** True if there are fewer samples than asked for. */
  readonly interrupted: boolean;
}

/** Certificates of one model: a report on all nodes, and the certificate of each node. */
export interface CertifyRun {
  readonly report: CertifyReport;
  readonly certificates: readonly NodeCertificate[];
}

/**
 * Opens or trains the model of each choice, and certifies them together. They vote on the same noisy graphs, so that
 * what depends on a graph alone, such as PageRank, is computed once. A model's votes do not depend on the other models.
 */
export async function runCertify(
  session: Session,
  choices: readonly CertifyChoice[],
  smoothing: SmoothingChoice,
  watch: RunWatch = {},
): Promise<CertifyRun[]> {
  checkSmoothing(smoothing);
  checkNoiseOn(session.graph, smoothing.noise);
  if (smoothing.votes !== undefined) samplesIn(smoothing.votes); // throws early if it is no file of votes
  for (const { nodes } of choices) countLabelled(session.labelsOf(nodes));
  const models: OpenedModel[] = [];
  try {
    for (const given of choices) models.push(await openTrained(session, given, smoothing, watch));
    const { noise, noiseSeed, samples, preSamples, votes: file } = smoothing;
    const task = { models, noise, noiseSeed, samples: { choosing: preSamples, bounding: samples } };
    const collected = await collectVotes(session, { ...task, ...(file !== undefined && { file }) }, watch);
    const runs: CertifyRun[] = [];
    for (const [m, model] of models.entries())
      runs.push(await runOf(session, model, smoothing, collected, m, watch.signal));
    return runs;
  } finally {
    for (const { model } of models) model.dispose();
  }
}

/** Mistakes in a choice fail here, before anything is trained. */
export function checkSmoothing({ noise, samples, preSamples, alpha, band }: SmoothingChoice): void {
  checkNoise(noise);
  check(samples >= 1, () => `--samples must be 1 or more, got ${samples}`);
  check(preSamples >= 1, () => `--pre-samples must be 1 or more, got ${preSamples}`);
  check(alpha > 0 && alpha < 1, () => `--alpha must be between 0 and 1, got ${alpha}`);
  if (band) checkBand(band, noise);
}

interface OpenedModel extends NamedModel {
  readonly choice: NamedChoice<CertifyChoice>;
  /** The chosen nodes that have labels. */
  readonly labelled: Int32Array;
  /** Flips that an attack found on the model, if one was asked for. */
  readonly attacked: { readonly task: BandTask; readonly found: readonly BudgetedFlips[] } | null;
}

async function openTrained(
  session: Session,
  given: CertifyChoice,
  smoothing: SmoothingChoice,
  watch: RunWatch,
): Promise<OpenedModel> {
  const choice = nameModel(given);
  const built = openModel(session, choice, watch);
  try {
    await trainIfNeeded(session, built, choice, watch);
    const victim = { kind: choice.model, model: built.model };
    const labelled = Int32Array.from(choice.nodes).filter((node) => session.graph.labels[node] >= 0);
    const { band, noise, noiseSeed, preSamples: samples } = smoothing;
    if (!band) return { ...victim, choice, labelled, attacked: null };
    const task = { session, victim, seed: choice.seed, nodes: labelled, noise, noiseSeed, samples, choice: band };
    return { ...victim, choice, labelled, attacked: { task, found: await findFlips(task, watch) } };
  } catch (error) {
    built.model.dispose();
    throw error;
  }
}

async function runOf(
  session: Session,
  { kind, model, choice, labelled, attacked }: OpenedModel,
  { noise, noiseSeed, alpha }: SmoothingChoice,
  { votes: all, seconds, interrupted }: CollectedVotes,
  m: number,
  signal: StopSignal | undefined,
): Promise<CertifyRun> {
  const { seed } = choice;
  const { labels } = session.graph;
  const votes = all[m];
  const { accuracy: smoothed, ...certified } = certifiedNodes(votes, labelled, labels, { noise, alpha });
  const samples = votes.bounding.samples;
  const preSamples = votes.choosing.samples;
  const band =
    attacked && !interrupted ? await attackBand(attacked.task, attacked.found, { votes, alpha }, signal) : null;
  const report: CertifyReport = {
    dataset: session.dataset,
    model: kind,
    seed,
    split: session.splitFacts(seed),
    device: session.device,
    noise,
    noiseSeed,
    samples,
    preSamples,
    alpha,
    numNodes: labelled.length,
    accuracy: { clean: await evaluate(model, session.view, labelled), smoothed },
    ...certified,
    band,
    seconds,
    samplesPerSecond: (samples + preSamples) / seconds,
    residentBytes: peakResidentBytes(),
    interrupted: interrupted || (attacked !== null && band === null),
  };
  return { report, certificates: certificatesOf(votes, choice.nodes, { noise, alpha }) };
}

export type CertifyMean = Pick<CertifyReport, "accuracy" | "abstained" | "accumulated">;

/** Mean and standard error over seeds. */
export function summariseCertificates(runs: readonly CertifyReport[]): Several<CertifyReport, CertifyMean> {
  const numbers = runs.map(({ accuracy, abstained, accumulated }) => ({ accuracy, abstained, accumulated }));
  return { runs, ...meanErrorOf(numbers), interrupted: runs.some(({ interrupted }) => interrupted) };
}
