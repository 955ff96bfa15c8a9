import { afterAll, describe, expect, test } from "vitest";
import { trainSeeds } from "./run-several.ts";
import type { TrainChoice, TrainReport, TrainRun } from "./run-train.ts";
import { openSession } from "./session.ts";
import { trainSeedsSideBySide } from "./train-side-by-side.ts";

const session = await openSession({ dataset: "synthetic-citation", device: "cpu", threads: 2 });
afterAll(() => session.close());

function choices(seeds: readonly number[], more: Partial<TrainChoice> = {}): TrainChoice[] {
  return seeds.map((seed) => ({ model: "gcn", seed, set: { maxEpochs: 8, hidden: [16] }, ...more }));
}

async function reportsOf(runs: AsyncGenerator<TrainRun>): Promise<TrainReport[]> {
  const reports: TrainReport[] = [];
  for await (const { report, built } of runs) {
    reports.push(report);
    built.model.dispose();
  }
  return reports;
}

describe("training with several seeds side by side", () => {
  test("reports what training one by one does, and how many models there were at once", async () => {
    const some = choices([3, 0, 7], { trainNodes: 100 });
    const alone = await reportsOf(trainSeeds(session, some));
    const before = session.backend.memory.current;
    const together = await reportsOf(trainSeedsSideBySide(session, some));
    expect(session.backend.memory.current).toBe(before);
    for (const [t, { accuracy, seconds, peakBytes, residentBytes, sideBySide, ...rest }] of together.entries()) {
      expect(alone[t]).toMatchObject(rest);
      expect(accuracy.test).toBeCloseTo(alone[t].accuracy.test, 2);
      expect(sideBySide).toBe(3);
    }
  });
  test("warns where it does not pay, and refuses models that are no GCN", async () => {
    const lines: string[] = [];
    await reportsOf(trainSeedsSideBySide(session, choices([0, 1]), { warn: (line) => lines.push(line) }));
    expect(lines).toEqual(["--side-by-side pays on a GPU only; this takes as long as one by one"]);
    const before = session.backend.memory.current;
    await expect(reportsOf(trainSeedsSideBySide(session, choices([0, 1], { model: "sgc", set: {} })))).rejects.toThrow(
      "training side by side: sgc is no gcn; leave out --side-by-side",
    );
    expect(session.backend.memory.current).toBe(before);
  });
});
