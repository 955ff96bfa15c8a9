import { describe, expect, test } from "vitest";
import { Rng } from "../../core/rng.ts";
import type { Flips } from "../../graph/flips.ts";
import { fewestFlips } from "./fewest-flips.ts";
import { flipsAt } from "./flips-at.ts";
import type { LocalTarget } from "./local-task.ts";

const target: LocalTarget = {
  node: 0,
  label: 0,
  degree: 3,
  budget: 12,
  towards: null,
  influence: "direct",
  rng: new Rng(0),
};
const flips = (...others: number[]): Flips => flipsAt({ directed: false }, 0, others);
const first = (count: number) => flips(...Array.from({ length: count }, (_, k) => k + 1));

describe("fewestFlips", () => {
  test("tries ever larger budgets, then leaves out what is not needed", async () => {
    const budgets: number[] = [];
    const search = async ({ budget }: LocalTarget) => {
      budgets.push(budget);
      return first(budget);
    };
    const needed = [2, 5];
    const found = await fewestFlips(search, target, async ({ targets }) => needed.every((v) => targets.includes(v)));
    expect([...found.targets]).toEqual(needed);
    expect(budgets).toEqual([1, 2, 4, 8, 1]);
  });

  test("searches again with one fewer as long as that succeeds", async () => {
    const budgets: number[] = [];
    const search = async ({ budget }: LocalTarget) => {
      budgets.push(budget);
      return flips(...Array.from({ length: budget }, (_, k) => budget + k)); // of these, none can be spared
    };
    const succeeds = async ({ targets }: Flips) => targets.length >= 5 && targets[0] === targets.length;
    expect((await fewestFlips(search, target, succeeds)).sources.length).toBe(5);
    expect(budgets).toEqual([1, 2, 4, 8, 7, 6, 5, 4]);
  });

  test("returns what the whole budget finds if nothing succeeds, and no flips if none is needed", async () => {
    const search = async ({ budget }: LocalTarget) => first(budget);
    expect((await fewestFlips(search, target, async () => false)).sources.length).toBe(12);
    expect((await fewestFlips(search, target, async () => true)).sources.length).toBe(0);
  });

  test("stops when it is told to", async () => {
    const signal = { aborted: false };
    const search = async ({ budget }: LocalTarget) => {
      if (budget === 4) signal.aborted = true;
      return first(budget);
    };
    const found = await fewestFlips(search, { ...target, signal }, async () => false);
    expect(found.sources.length).toBe(4);
  });
});
