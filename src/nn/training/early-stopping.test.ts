import { expect, test } from "vitest";
import { EarlyStopping } from "./early-stopping.ts";

/** Feeds losses as training does; returns the epoch it stopped in, and the best one. */
function run(losses: readonly number[], patience: number) {
  const stopping = new EarlyStopping(patience);
  const stopped = losses.findIndex((loss, t) => !stopping.isBest(t, loss) && stopping.isOver(t));
  return { stopped, best: stopping.bestEpoch };
}

test("training stops once patience epochs have passed since the best one", () => {
  expect(run([3, 2, 4, 4, 4, 4], 3)).toEqual({ stopped: 4, best: 1 });
  expect(run([3, 2, 4, 4], 3)).toEqual({ stopped: -1, best: 1 });
});
test("an equal loss is not better", () => {
  expect(run([1, 1, 1, 1], 2)).toEqual({ stopped: 2, best: 0 });
});
test("a loss that is not a number is never better", () => {
  expect(run([Number.NaN, 2, Number.NaN], 5)).toEqual({ stopped: -1, best: 1 });
});
