import { localAttacks } from "../attack/local/local-attacks.ts";
import type { LocalResult } from "../attack/local/local-result.ts";
import type { LocalBudget, LocalTask } from "../attack/local/local-task.ts";
import { nodeLogits } from "../attack/local/node-logits.ts";
import { nodeOutcome, reachesGoal } from "../attack/local/node-outcome.ts";
import type { StopSignal } from "../core/stop-signal.ts";
import { attackRng } from "../defense/build-model.ts";
import type { Model } from "../nn/model.ts";
import type { NodeAttackChoice } from "./node-attack-choice.ts";
import { onPoisoned } from "./poisoned-model.ts";
import type { OpenedGraph } from "./session.ts";
import type { NamedChoice } from "./trained-model.ts";

/** An attack on single nodes with its inputs: a graph on a device, and models on the same device. */
export interface NodeAttack {
  readonly opened: OpenedGraph;
  readonly choice: NamedChoice<NodeAttackChoice>;
  readonly victim: Model;
  /** The model on which flips are found: another one, or the victim itself. */
  readonly surrogate: Model;
}

/** The nodes to attack, and the budget. */
export interface NodeWork {
  readonly nodes: ArrayLike<number>;
  readonly budget: LocalBudget;
  /**
   * Results of an earlier attack, one per node: nothing is searched, only the victim is trained anew on their flips.
   */
  readonly found?: readonly LocalResult[];
}

/** Which nodes to work on (indices into `nodes`; all by default), and a signal to stop. */
export interface WorkLimits {
  readonly places?: Iterable<number> | undefined;
  readonly signal?: StopSignal | undefined;
}

/**
 * Works on nodes one after the other on this thread. Outcomes are the victim's: trained anew on each node's flips if
 * poisoning was chosen or `found` is given.
 */
export async function* workInTurn(
  attack: NodeAttack,
  work: NodeWork,
  { places, signal }: WorkLimits = {},
): AsyncGenerator<LocalResult> {
  const { poison = false } = attack.choice;
  const results = work.found ? resultsAt(work.found, places) : attackInTurn(attack, work, { places, signal });
  for await (const found of results) {
    const result = poison || work.found ? await poisonedResult(attack, found, signal) : found;
    if (!result) return;
    yield result;
  }
}

function* resultsAt(found: readonly LocalResult[], places: Iterable<number> = found.keys()): Generator<LocalResult> {
  for (const place of places) yield found[place];
}

function attackInTurn(
  { choice, opened, victim, surrogate }: NodeAttack,
  { nodes, budget }: NodeWork,
  { places, signal }: WorkLimits,
): AsyncGenerator<LocalResult> {
  const { attack, seed, towards, influence, options } = choice;
  const task: LocalTask = {
    nodes,
    budget,
    victim,
    rng: attackRng(seed),
    ...(towards !== undefined && { towards }),
    ...(influence && { influence }),
    ...(places && { places }),
    ...(signal && { signal }),
  };
  return localAttacks[attack].run(surrogate, opened.view, task, options);
}

/** The result of the same flips on a victim trained on the perturbed graph; null if training was interrupted. */
async function poisonedResult(
  { opened, choice }: NodeAttack,
  result: LocalResult,
  signal: StopSignal | undefined,
): Promise<LocalResult | null> {
  const { node, label, towards, clean, perturbation } = result;
  if (perturbation.flips.sources.length === 0) return result;
  const watch = signal ? { signal } : {};
  const [logits] = await onPoisoned(opened, choice, perturbation.flips, watch, (model, perturbed) =>
    nodeLogits(model, perturbed, [node]),
  );
  if (signal?.aborted) return null;
  const adversarial = nodeOutcome(logits, label);
  return { ...result, adversarial, success: !reachesGoal(clean, towards) && reachesGoal(adversarial, towards) };
}
