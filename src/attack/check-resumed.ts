import { BudgetError, check } from "../core/errors.ts";
import type { Flips } from "../graph/flips.ts";
import type { AttackTask } from "./attack.ts";

/** Throws unless the flips `from`, which an attack continues, are within its budget and its constraints. */
export function checkResumed(name: string, { budget, constraints }: AttackTask, from: Flips): void {
  const made = from.sources.length;
  check(
    made <= budget,
    () => `${name}: ${made} flips are made already, more than the budget of ${budget}`,
    BudgetError,
  );
  const violation = constraints?.firstViolation(from) ?? null;
  check(
    violation === null,
    () => `${name}: the flips to go on from go against the constraints: ${violation}`,
    BudgetError,
  );
}
