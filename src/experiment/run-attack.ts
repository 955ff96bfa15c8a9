import type { AttackResult } from "../attack/attack.ts";
import { edgeBudget } from "../attack/budget.ts";
import { type ConstraintRules, Constraints } from "../attack/constraints/constraints.ts";
import { globalAttacks } from "../attack/global-attacks.ts";
import { lossByName } from "../attack/losses.ts";
import type { Objective } from "../attack/objective.ts";
import { check, lookup } from "../core/errors.ts";
import type { Rng } from "../core/rng.ts";
import { attackRng } from "../defense/build-model.ts";
import type { Flips } from "../graph/flips.ts";
import type { Model } from "../nn/model.ts";
import type { Watch } from "../nn/training/train.ts";
import type { Session } from "./session.ts";

/** Which attack to run, and how. */
export interface AttackChoice {
  readonly attack: string;
  readonly epsilon?: number;
  readonly budget?: number;
  readonly loss?: string;
  /** What the attack wants to lower; the accuracy by default. */
  readonly objective?: Objective;
  /** Which flips it may make; all by default. */
  readonly constraints?: ConstraintRules;
  readonly seed: number;
  /** Nodes to attack; the test set by default. */
  readonly nodes?: ArrayLike<number>;
  /** Random numbers of the attack; drawn from the seed by default. */
  readonly rng?: Rng;
  /** Flips of a smaller budget to continue from. */
  readonly resume?: Resume;
  /** Other models of the graph whose flips may transfer, for an attack that takes them. */
  readonly surrogates?: readonly Model[];
  /** Options of the attack itself. */
  readonly options?: Readonly<Record<string, unknown>>;
}

/** Flips of an earlier run to continue from, and the random numbers to use. */
export interface Resume {
  readonly from: Flips;
  readonly rng: Rng;
}

/** Runs an attack by name on a model of the session's graph. */
export async function runAttack(
  session: Session,
  model: Model,
  choice: AttackChoice,
  watch: Watch = {},
): Promise<AttackResult> {
  const kind = lookup(globalAttacks, choice.attack, "attack");
  check(choice.loss === undefined || kind.loss !== null, () => `${choice.attack} has no loss; leave out --loss`);
  const task = {
    nodes: choice.nodes ?? session.split(choice.seed).test,
    budget: budgetOf(session, choice),
    rng: choice.resume?.rng ?? choice.rng ?? attackRng(choice.seed),
    ...(choice.objective && { objective: choice.objective }),
    ...(choice.surrogates && { surrogates: choice.surrogates }),
    ...(choice.constraints && { constraints: new Constraints(session.graph, choice.constraints) }),
    ...watch,
  };
  const options = { ...choice.options, ...(choice.loss !== undefined && { loss: lossByName(choice.loss) }) };
  if (!choice.resume) return kind.run(model, session.view, task, options);
  check(kind.resume !== undefined, () => `${choice.attack} cannot go on from other flips`);
  return kind.resume(model, session.view, task, choice.resume.from, options);
}

/** Number of flips that a choice allows; a tenth of the edges if it says nothing. */
export function budgetOf(session: Session, { budget, epsilon }: Pick<AttackChoice, "budget" | "epsilon">): number {
  check(budget === undefined || epsilon === undefined, () => "--budget and --epsilon say the same; give one of them");
  return budget ?? edgeBudget(session.graph, epsilon ?? 0.1);
}
