import { describe, expect, test } from "vitest";
import { overRounds, timeRounds } from "./rounds.ts";

describe("timeRounds", () => {
  const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
  test("lets the steps take turns, with a round before those that count", async () => {
    const log: string[] = [];
    const steps = ["a", "b"].map((name) => async () => void log.push(name));
    const rounds = await timeRounds(steps, { warmUpMs: 0, atLeast: 3, enoughMs: 0 });
    expect(log.join("")).toBe("abababab");
    expect(rounds.map(({ length }) => length)).toEqual([2, 2, 2]);
  });
  test("warms up for the time it is given, and counts short rounds until it has enough", async () => {
    const options = { warmUpMs: 50, atLeast: 1, enoughMs: 50 };
    let runs = 0;
    const rounds = await timeRounds([() => wait(10).then(() => void runs++)], options);
    expect(rounds.length).toBeGreaterThan(1);
    expect(runs - rounds.length).toBeGreaterThan(1);
  });
  test("gives each step its own time", async () => {
    const [round] = await timeRounds([() => wait(1), () => wait(40)], { warmUpMs: 0, atLeast: 1, enoughMs: 0 });
    expect(round![1] - round![0]).toBeGreaterThan(20);
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
