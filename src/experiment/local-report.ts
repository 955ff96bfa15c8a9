import { localAttacks } from "../attack/local/local-attacks.ts";
import type { LocalResult } from "../attack/local/local-result.ts";
import type { Neighbourhood } from "../attack/local/neighbourhood.ts";
import type { NodeOutcome } from "../attack/local/node-outcome.ts";
import type { NodeId } from "../data/node-ids.ts";
import type { ClassName } from "../files/nodes-file.ts";
import type { FlipAction } from "../graph/flips.ts";
import type { PreparedNodes } from "./attack-nodes.ts";
import { classNames } from "./class-names.ts";
import { localBudget, type NodeBudgetChoice, surrogateOf } from "./node-attack-choice.ts";
import type { NodeSession } from "./node-session.ts";
import type { SplitFacts } from "./opened-split.ts";
import { peakResidentBytes } from "./resident-memory.ts";

/** What `rgnn attack` reports of an attack on single nodes. */
export interface LocalAttackReport {
  readonly dataset: string;
  readonly model: string;
  readonly attack: string;
  /** `direct`: flips found on the victim itself; `transfer`: on another model. */
  readonly setting: "direct" | "transfer";
  readonly surrogate: string;
  /** `evasion`: the victim was trained on the clean graph; `poisoning`: on each perturbed one. */
  readonly time: "evasion" | "poisoning";
  readonly loss: string | null;
  /** Share of the degree; null where every node has the same budget. */
  readonly epsilon: number | null;
  /** Flips per node; null where the budget is a share of the degree. */
  readonly budget: number | null;
  /** Whether the attack looked for the fewest flips that reach the goal. */
  readonly minimal: boolean;
  readonly towards: ClassName | null;
  readonly influence: string;
  readonly seed: number;
  readonly split: SplitFacts;
  readonly device: string;
  readonly numTargets: number;
  readonly targets: readonly TargetReport[];
  /** Share of nodes that reach the goal after the attack but not before; null without nodes. */
  readonly successRate: number | null;
  /** Of all nodes together. */
  readonly flips: { readonly added: number; readonly removed: number };
  /** Steps of all nodes together, where the attack counts them. */
  readonly epochs: number;
  readonly secondsPerEpoch: number;
  /** Search time summed over all nodes, also where they ran side by side. */
  readonly seconds: number;
  /** Elapsed time from the first node to the last. */
  readonly wallSeconds: number;
  /** Threads that attacked nodes side by side. */
  readonly threads: number;
  /** Peak of the kernels' own memory during the attack. */
  readonly peakBytes: number;
  /** Peak memory of the whole process since it started. */
  readonly residentBytes: number;
  readonly interrupted: boolean;
}

/** One attacked node, with nodes and classes named as in the input. */
export interface TargetReport {
  readonly node: NodeId;
  readonly label: ClassName;
  readonly degree: number;
  readonly budget: number;
  /** Probability of the true class minus that of the strongest other, on the clean and on the perturbed graph. */
  readonly marginClean: number;
  readonly marginAdversarial: number;
  readonly success: boolean;
  readonly clean: OutcomeReport;
  readonly adversarial: OutcomeReport;
  readonly flips: readonly FlipReport[];
  readonly neighbourhood: NeighbourhoodReport;
  readonly seconds: number;
}

/** How the victim classifies a node. */
export interface OutcomeReport {
  readonly prediction: ClassName;
  /** Logit of the true class minus that of the strongest other. */
  readonly logitMargin: number;
  /** Of each class, in the order of the input. */
  readonly probabilities: readonly number[];
}

/** An edge that is added or removed. */
export interface FlipReport {
  readonly source: NodeId;
  readonly target: NodeId;
  readonly action: FlipAction;
}

/** Nodes and edges around a node, with its flips marked. Empty after the first thousand nodes of a run. */
export interface NeighbourhoodReport {
  readonly nodes: readonly { readonly node: NodeId; readonly label: ClassName | null }[];
  readonly edges: readonly { readonly source: NodeId; readonly target: NodeId; readonly action: FlipAction | null }[];
  readonly complete: boolean;
}

/** Report of the finished nodes. `expected` is the number of nodes to attack. */
export function localReport(
  session: NodeSession,
  { choice, cost }: Pick<PreparedNodes, "choice" | "cost">,
  budget: NodeBudgetChoice,
  results: readonly LocalResult[],
  expected: number,
): LocalAttackReport {
  const allowed = localBudget(budget);
  const surrogate = surrogateOf(choice);
  const names = classNames(session);
  const targets = results.map((result) => targetReport(session, result));
  const actions = targets.flatMap(({ flips }) => flips.map(({ action }) => action));
  const added = actions.filter((action) => action === "add").length;
  const epochs = results.reduce((sum, result) => sum + result.epochs, 0);
  const seconds = results.reduce((sum, result) => sum + result.seconds, 0);
  const successes = targets.filter(({ success }) => success).length;
  return {
    dataset: session.dataset,
    model: choice.model,
    attack: choice.attack,
    setting: surrogate === choice.model ? "direct" : "transfer",
    surrogate,
    time: choice.poison ? "poisoning" : "evasion",
    loss: lossName(choice),
    epsilon: "share" in allowed ? allowed.share : null,
    budget: "share" in allowed ? null : allowed.flips,
    minimal: allowed.minimal ?? false,
    towards: choice.towards === undefined ? null : names[choice.towards],
    influence: choice.influence ?? "direct",
    seed: choice.seed,
    split: session.splitFacts(choice.seed),
    device: session.device,
    numTargets: targets.length,
    targets,
    successRate: targets.length > 0 ? successes / targets.length : null,
    flips: { added, removed: actions.length - added },
    epochs,
    secondsPerEpoch: epochs > 0 ? seconds / epochs : 0,
    seconds,
    wallSeconds: cost.seconds,
    threads: cost.threads,
    peakBytes: cost.peakBytes,
    residentBytes: peakResidentBytes(),
    interrupted: results.length < expected || results.some(({ interrupted }) => interrupted),
  };
}

/** Name of the loss that an attack maximises; null if it has no such option. */
function lossName({ attack, options = {} }: PreparedNodes["choice"]): string | null {
  const { options: described } = localAttacks[attack];
  if (!Object.hasOwn(described, "loss")) return null;
  const { loss } = described;
  return String(loss.toJson(options["loss"] ?? loss.default));
}

/** One result, with nodes and classes named as in the input. */
export function targetReport(session: NodeSession, result: LocalResult): TargetReport {
  const { ids } = session;
  const names = classNames(session);
  const { flips } = result.perturbation;
  return {
    node: ids.idOf(result.node),
    label: names[result.label],
    degree: result.degree,
    budget: result.budget,
    marginClean: result.clean.probabilityMargin,
    marginAdversarial: result.adversarial.probabilityMargin,
    success: result.success,
    clean: outcomeReport(names, result.clean),
    adversarial: outcomeReport(names, result.adversarial),
    flips: result.actions.map((action, k) => ({
      source: ids.idOf(flips.sources[k]),
      target: ids.idOf(flips.targets[k]),
      action,
    })),
    neighbourhood: neighbourhoodReport(session, result.neighbourhood),
    seconds: result.seconds,
  };
}

function outcomeReport(names: readonly ClassName[], { prediction, margin, probabilities }: NodeOutcome): OutcomeReport {
  return { prediction: names[prediction], logitMargin: margin, probabilities: Array.from(probabilities) };
}

function neighbourhoodReport(session: NodeSession, { nodes, edges, complete }: Neighbourhood): NeighbourhoodReport {
  const { ids } = session;
  const names = classNames(session);
  const labels = session.labelsOf(nodes);
  return {
    nodes: Array.from(nodes, (node, t) => ({ node: ids.idOf(node), label: labels[t] < 0 ? null : names[labels[t]] })),
    edges: edges.map(({ source, target, action }) => ({ source: ids.idOf(source), target: ids.idOf(target), action })),
    complete,
  };
}
