import { breathe } from "../core/breathe.ts";
import { check, Interrupted } from "../core/errors.ts";
import { type Progress, silent } from "../core/progress.ts";
import type { StopSignal } from "../core/stop-signal.ts";
import type { Noise } from "../graph/noise/noise.ts";
import type { Model } from "../nn/model.ts";
import type { GraphView } from "../tensor/index.ts";
import { certificatesOf, type NodeCertificate, type SmoothedVotes } from "./certificates.ts";
import { voteBatches } from "./vote-batches.ts";
import { Voters } from "./voters.ts";
import { Votes } from "./votes.ts";

/** What is certified, against which noise, and how surely. */
export interface CertifyTask {
  readonly nodes: ArrayLike<number>;
  readonly noise: Noise;
  /** Seed of the noisy graphs. Default 0. */
  readonly seed?: number;
  /** Noisy graphs whose votes bound how often a class is chosen. Default 10,000. */
  readonly samples?: number;
  /** Noisy graphs, other than the `samples`, whose votes choose the class of each node. Default 1,000. */
  readonly preSamples?: number;
  /** How often a certificate may be wrong. Default .05. */
  readonly alpha?: number;
  readonly progress?: Progress;
  readonly signal?: StopSignal;
}

/** Certificates, and the votes that they come from. */
export interface Certification {
  readonly certificates: readonly NodeCertificate[];
  readonly votes: SmoothedVotes;
}

/**
 * Certifies nodes by sparse randomised smoothing (Bojchevski, Gasteiger and Günnemann 2020). The classifier that is
 * certified is not `model` but its smoothed version: the class that the model gives a node most often under noise.
 * Works for any model that always gives the same answer about the same graph.
 *
 * @example
 * const noise = { edges: { add: 0.001, delete: 0.4 }, features: noNoise };
 * const { certificates } = await certify(model, view, { nodes: split.test, noise, samples: 1000 });
 * for (const { node, chosen, radii } of certificates) {
 *   console.log(`node ${node} stays in class ${chosen} whichever ${radii.edges[0] ?? 0} edges are deleted`);
 * }
 */
export async function certify(model: Model, view: GraphView, task: CertifyTask): Promise<Certification> {
  const { nodes, noise, seed = 0, samples = 10_000, preSamples = 1000, alpha = 0.05 } = task;
  const { progress = silent, signal } = task;
  for (const count of [samples, preSamples]) {
    check(
      Number.isInteger(count) && count >= 1,
      () => `certify: samples must be whole numbers from 1 on, got ${count}`,
    );
  }
  const voters = new Voters([model], view, noise, seed);
  const { numNodes } = view;
  const { numClasses } = voters;
  const votes = { choosing: new Votes(numNodes, numClasses), bounding: new Votes(numNodes, numClasses) };
  const wanted = { choosing: preSamples, bounding: samples };
  try {
    for (const { count, first, end } of voteBatches({ choosing: 0, bounding: 0 }, wanted, voters.batch)) {
      if (signal?.aborted) throw new Interrupted("certify: interrupted; there is no result");
      votes[count].addAll((await voters.count(first, end))[0]);
      progress.update(votes.choosing.samples + votes.bounding.samples, preSamples + samples, "noisy graphs");
      await breathe(); // lets Ctrl-C and timers through
    }
  } finally {
    voters.dispose();
  }
  return { certificates: certificatesOf(votes, nodes, { noise, alpha }), votes };
}
