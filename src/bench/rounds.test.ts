import { describe, expect, test } from "vitest";
import { overRounds, timeRounds } from "./rounds.ts";

describe("timeRounds", () => {
  const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
  test("lets the steps take turns, with a round before those that count", async () => {
    const log: string[] = [];
    const steps = { one: async () => void log.push("a"), other: async () => void log.push("b") };
    const rounds = await timeRounds(steps, { warmUpMs: 0, atLeast: 3, enoughMs: 0 });
    expect(log.join("")).toBe("abababab");
    expect(rounds.map((round) => Object.keys(round))).toEqual(Array(3).fill(["one", "other"]));
  });
  test("warms up for the time it is given, and counts short rounds until it has enough", async () => {
    const options = { warmUpMs: 50, atLeast: 1, enoughMs: 50 };
    let runs = 0;
    const rounds = await timeRounds({ step: () => wait(10).then(() => void runs++) }, options);
    expect(rounds.length).toBeGreaterThan(1);
    expect(runs - rounds.length).toBeGreaterThan(1);
  });
  test("gives each step its own time", async () => {
    const steps = { short: () => wait(1), long: () => wait(40) };
    const rounds = await timeRounds(steps, { warmUpMs: 0, atLeast: 1, enoughMs: 0 });
    expect(rounds[0].long - rounds[0].short).toBeGreaterThan(20);
  });
});

describe("overRounds", () => {
  test("is the median of what the rounds say, so that one slow moment does not count", () => {
    const rounds = [
      [1, 2],
      [1, 30],
      [10, 40],
    ];
    expect(overRounds(rounds, ([one, other]) => other! / one!)).toBe(4);
  });
});
