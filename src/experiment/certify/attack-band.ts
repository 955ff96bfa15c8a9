import { globalAttacks } from "../../attack/global-attacks.ts";
import { certificatesOf, type SmoothedVotes } from "../../certify/certificates.ts";
import { type Allowed, certifiedWithin } from "../../certify/certified-shares.ts";
import { voteBatches } from "../../certify/vote-batches.ts";
import { Votes } from "../../certify/votes.ts";
import { check, Interrupted, lookup } from "../../core/errors.ts";
import type { StopSignal } from "../../core/stop-signal.ts";
import { applyFlips, type Flips, flipActions } from "../../graph/flips.ts";
import { isNoisy, type Noise } from "../../graph/noise/noise.ts";
import { withGraph } from "../../tensor/index.ts";
import { runAttack } from "../run-attack.ts";
import type { Session } from "../session.ts";
import type { RunWatch } from "../trained-model.ts";
import { countBatches } from "./count-batches.ts";
import type { NamedModel } from "./named-model.ts";
import { weightsOf } from "./vote-job.ts";
import { votingPlan } from "./voting-plan.ts";

/** An attack on all nodes at once, and its budgets in flips. */
export interface BandChoice {
  readonly attack: string;
  readonly budgets: readonly number[];
}

/** Bounds on the accuracy of the smoothed model against the strongest adversary with a budget. */
export interface BandPoint {
  readonly budget: number;
  /** What the adversary may do to edges. */
  readonly allowed: Allowed;
  /** Lower bound, from certificates that hold for all nodes at once and with their confidence. */
  readonly certified: number;
  /** Upper bound: accuracy of the smoothed model, by its votes, after an attack on the model without noise. */
  readonly attacked: number;
  readonly flips: { readonly added: number; readonly removed: number };
}

/** A model whose smoothed version is attacked. */
export interface BandTask {
  readonly session: Session;
  readonly victim: NamedModel;
  readonly seed: number;
  /** Nodes to attack, all of them labelled. */
  readonly nodes: Int32Array;
  readonly noise: Noise;
  readonly noiseSeed: number;
  /** Noisy versions of each attacked graph. */
  readonly samples: number;
  readonly choice: BandChoice;
}

/** Flips that an attack found with a budget. */
export interface BudgetedFlips {
  readonly budget: number;
  readonly flips: Flips;
}

/** Mistakes in a choice fail here, before anything is trained. */
export function checkBand({ attack, budgets }: BandChoice, noise: Noise): void {
  lookup(globalAttacks, attack, "attack");
  check(
    budgets.length > 0 && budgets.every((budget) => budget >= 1),
    () => "--budget takes flips from 1 on, such as 1,2,4",
  );
  check(isNoisy(noise.edges), () => "--attack flips edges, and only features are noisy; add --noise, or leave it out");
}

/** Attacks the model with each of the budgets, using only flips that the noise certifies against. */
export async function findFlips(task: BandTask, watch: RunWatch = {}): Promise<BudgetedFlips[]> {
  const { session, victim, seed, nodes, noise } = task;
  const { attack, budgets } = task.choice;
  const only = RULES[allowedBy(noise)];
  const found: BudgetedFlips[] = [];
  for (const budget of budgets) {
    const choice = { attack, budget, seed, nodes, ...(only && { constraints: { only } }) };
    const { perturbation } = await runAttack(session, victim.model, choice, watch);
    if (watch.signal?.aborted) throw new Interrupted(`interrupted during ${attack}; there is no result`);
    found.push({ budget, flips: perturbation.flips });
  }
  return found;
}

/**
 * The band between certificates, from votes on the clean graph, and accuracies by votes on the attacked graphs; null if
 * interrupted.
 */
export async function attackBand(
  task: BandTask,
  found: readonly BudgetedFlips[],
  { votes, alpha }: { readonly votes: SmoothedVotes; readonly alpha: number },
  signal?: StopSignal,
): Promise<BandPoint[] | null> {
  const { session, nodes, noise } = task;
  const { graph } = session;
  const allowed = allowedBy(noise);
  const atOnce = certificatesOf(votes, nodes, { noise, alpha, atOnce: true });
  const points: BandPoint[] = [];
  for (const { budget, flips } of found) {
    const actions = flipActions(graph, flips);
    const removed = actions.filter((action) => action === "remove").length;
    const attacked = await accuracyAfter(task, flips, signal);
    if (signal?.aborted) return null;
    points.push({
      budget,
      allowed,
      certified: certifiedWithin(atOnce, graph.labels, "edges", { budget, allowed }),
      attacked,
      flips: { added: actions.length - removed, removed },
    });
  }
  return points;
}

/** The constraint that limits an attack to what the noise certifies against. */
const RULES = { additions: "additions", deletions: "removals", both: null } as const;

/**
 * What the noise certifies against. Noise that only deletes hardly ever certifies additions (never below .5); noise
 * that only adds hardly ever certifies deletions.
 */
function allowedBy({ edges }: Noise): Allowed {
  if (edges.add === 0) return "deletions";
  return edges.delete === 0 ? "additions" : "both";
}

/** Accuracy of the smoothed model on the graph with flips. */
async function accuracyAfter(task: BandTask, flips: Flips, signal: StopSignal | undefined): Promise<number> {
  const { session, victim, nodes, noise, noiseSeed, samples } = task;
  const graph = applyFlips(session.graph, flips);
  const view = withGraph(session.view, graph);
  const models = [victim];
  const { batch } = votingPlan(view, { models, noise, noiseSeed });
  const batches = voteBatches({ choosing: 0, bounding: 0 }, { choosing: samples, bounding: 0 }, batch);
  const job = { noise, noiseSeed, models: await weightsOf(models, graph), batches };
  const votes = new Votes(graph.numNodes, graph.numClasses);
  try {
    const attacked = { threads: session.threads, graph, view };
    for await (const { counts } of countBatches({ session: attacked, models, job, signal })) {
      votes.addAll(new Votes(graph.numNodes, graph.numClasses, counts[0]));
    }
  } finally {
    view.dispose();
  }
  return nodes.filter((node) => votes.winner(node) === graph.labels[node]).length / nodes.length;
}
