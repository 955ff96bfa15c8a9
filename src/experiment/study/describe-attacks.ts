import { globalAttacks } from "../../attack/global-attacks.ts";
import { localAttacks } from "../../attack/local/local-attacks.ts";
import { checkLocalBudget } from "../../attack/local/local-budget.ts";
import type { Influence } from "../../attack/local/local-task.ts";
import { objectiveByName } from "../../attack/objective.ts";
import { check } from "../../core/errors.ts";
import { localBudget } from "../node-attack-choice.ts";
import { attackOptions } from "./attack-options.ts";
import { budgetsThrough, describeBudget } from "./budgets-through.ts";
import { describeModel, isSameModel } from "./describe-model.ts";
import type { PlannedGraph } from "./planned-graph.ts";
import type { AttackDescription, DrawnNodes, ModelDescription } from "./run-description.ts";
import type { BudgetWish, NamedOptions, StudyPart } from "./study.ts";

/** An attack on one victim, and the nodes that it is about. */
export interface AttackOn {
  readonly attack: AttackDescription;
  readonly nodes: "test" | DrawnNodes;
  /** Whether the flips of a budget continue from those of a smaller one, or begin with them. */
  readonly sharesBudgets: boolean;
}

/** All attacks of a part on a victim. */
export function describeAttacks(part: StudyPart, victim: ModelDescription, graph: PlannedGraph): AttackOn[] {
  const { attacks = [], budgets = [], surrogate = null } = part;
  const other = otherThan(victim, surrogate, graph);
  return attacks.flatMap((attack) =>
    Object.hasOwn(globalAttacks, attack.name)
      ? budgets.flatMap((budget) => onGraph(part, attack, { budget, other, graph, victim }))
      : budgets.flatMap((budget) => onNodes(part, attack, { budget, other, graph, victim })),
  );
}

/** What the description of an attack needs besides its part. */
interface Setting {
  readonly budget: BudgetWish;
  /** Another model than the victim, to find flips on. */
  readonly other: ModelDescription | null;
  readonly graph: PlannedGraph;
  readonly victim: ModelDescription;
}

/** Describes another model of a part; null if there is none or it is the same as `model`. */
function otherThan(model: ModelDescription, asked: NamedOptions | null, graph: PlannedGraph): ModelDescription | null {
  const other = asked && describeModel(asked, graph.name);
  return other && !isSameModel(other, model) ? other : null;
}

/** An attack on the whole graph, for each objective and each set of constraints. */
function onGraph(part: StudyPart, { name, options }: NamedOptions, setting: Setting): AttackOn[] {
  const { budget, other, graph, victim } = setting;
  const { objectives = ["accuracy"], constraints: allConstraints = [null], chain, polish, helper = null } = part;
  const kind = globalAttacks[name];
  const help = kind.takesSurrogates ? otherThan(other ?? victim, helper, graph) : null;
  const values = attackOptions(name, options);
  kind.check?.(values);
  check(chain !== true || kind.resume !== undefined, () => `${name} cannot go on from other flips; leave out chain`);
  const isChained = chain ?? kind.chains;
  const after = isChained ? budgetsThrough(part, budget, graph).slice(0, -1) : [];
  return objectives.flatMap((objective) =>
    allConstraints.map((constraints): AttackOn => {
      const attack: AttackDescription = {
        name,
        options,
        loss: lossOf(name, options, objective, graph),
        objective,
        ...describeBudget(budget, graph.flipsOf(budget)),
        surrogate: other,
        ...(help && { helper: help }),
        ...(after.length > 0 && { after }),
        ...(polish !== undefined && { polish }),
        ...(constraints && { constraints }),
      };
      return { attack, nodes: "test", sharesBudgets: isChained || kind.incremental };
    }),
  );
}

function lossOf(name: string, options: NamedOptions["options"], objective: string, graph: PlannedGraph): string | null {
  const kind = globalAttacks[name];
  const { loss: ownLoss } = objectiveByName(objective, graph.classes);
  const asked = options["loss"] as string | undefined;
  if (ownLoss !== null && asked === undefined && kind.loss !== null) return objective;
  return asked ?? kind.lossWith?.(attackOptions(name, options)) ?? kind.loss;
}

/** An attack on single nodes, each with a budget of its own. */
function onNodes(part: StudyPart, { name, options }: NamedOptions, setting: Setting): AttackOn[] {
  const { budget, other, graph, victim } = setting;
  const { influences = ["direct"], objectives = ["accuracy"], constraints, chain, polish } = part;
  const isPlain = chain !== true && polish === undefined && (constraints ?? [null]).every((rules) => rules === null);
  check(isPlain, () => `${name} attacks single nodes, which have no chain, polish or constraints; leave them out`);
  check(
    objectives.every((objective) => objective === "accuracy"),
    () => `${name} attacks single nodes, whose objective is accuracy; got ${objectives.join(", ")}`,
  );
  const { surrogate: own, looksAtModel, options: described, undirected } = localAttacks[name];
  check(
    !undirected || graph.description.directed !== true,
    () => `${name} attacks undirected graphs only; leave out directed`,
  );
  checkLocalBudget(localBudget(budget));
  const brought = own === null ? null : describeModel({ name: own, options: {} }, graph.name);
  const surrogate = looksAtModel ? (other ?? brought) : null;
  const drawnFor = budgetsThrough(part, budget, null);
  const loss = (options["loss"] ?? described["loss"]?.toJson(described["loss"].default) ?? null) as string | null;
  return influences.map((influence: Influence) => ({
    attack: {
      name,
      options,
      loss,
      objective: "accuracy",
      ...describeBudget(budget, "budget" in budget ? budget.budget : 0),
      surrogate: surrogate && !isSameModel(surrogate, victim) ? surrogate : null,
      influence,
    },
    nodes: { drawnFor },
    sharesBudgets: false,
  }));
}
