import { describe, expect, test } from "vitest";
import { measure } from "./measure.ts";

describe("measure", () => {
  test("lets the variants take turns and resets before every run", () => {
    const log: string[] = [];
    const busy = (name: string) => ({ reset: () => log.push(`reset ${name}`), run: () => log.push(name) });
    const timings = measure([busy("a"), busy("b")]);
    expect(log.slice(0, 4)).toEqual(["reset a", "a", "reset b", "b"]);
    expect(timings.map(({ runs }) => runs)).toEqual([60, 60]);
    expect(log.length).toBe(4 * 62); // two more rounds to warm up
  });
  test("reports the middle and the best of the times", () => {
    const waits = [0, 0, 30, 1, 1, 1, 20];
    const run = () => {
      const until = performance.now() + (waits.shift() ?? 300);
      while (performance.now() < until);
    };
    const [timing] = measure([{ run }]);
    expect(timing!.runs).toBeGreaterThanOrEqual(5);
    expect(timing!.best).toBeLessThan(timing!.median + 1e-9);
    expect(timing!.best).toBeGreaterThanOrEqual(1);
  });
});
