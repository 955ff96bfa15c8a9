import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { attackNodes } from "./run-node-attacks.ts";
import { openSession, type Session } from "./session.ts";

describe("attackNodes", () => {
  let session: Session;
  beforeAll(async () => {
    session = await openSession({ dataset: "synthetic-citation" });
  });
  afterAll(() => session.close());

  test("keeps the neighbourhoods of a thousand nodes, and everything else of all", async () => {
    const nodes = Array.from({ length: 1003 }, (_, node) => node);
    const choice = { attack: "local-dice", model: "sgc", seed: 0, nodes, set: { maxEpochs: 3 } };
    for await (const { report } of attackNodes(session, [choice], [{ budget: 1 }])) {
      expect(report.targets.map(({ node }) => node)).toEqual(nodes);
      expect(report.targets.every(({ flips }) => flips.length === 1)).toBe(true);
      const shown = report.targets.map(({ neighbourhood }) => neighbourhood.nodes.length > 0);
      expect([shown.indexOf(false), shown.lastIndexOf(true)]).toEqual([1000, 999]);
      expect(report.targets[1000].neighbourhood.complete).toBe(false);
    }
  });
});
