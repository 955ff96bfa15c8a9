import { describe, expect, test } from "vitest";
import { randomGraph } from "../../../test/support/any-graph.ts";
import { createReference } from "../../backend/reference/reference.ts";
import { Rng } from "../../core/rng.ts";
import { applyFlips } from "../../graph/flips.ts";
import { inducedSubgraph } from "../../graph/induced-subgraph.ts";
import { Gcn, gcnDefaults } from "../../nn/models/gcn.ts";
import { Sgc, sgcDefaults } from "../../nn/models/sgc.ts";
import { toDevice } from "../../tensor/index.ts";
import { neighboursOf } from "./candidates.ts";
import type { LocalResult } from "./local-result.ts";
import type { LocalTask } from "./local-task.ts";
import { nodeLogits } from "./node-logits.ts";
import { nodeOutcome } from "./node-outcome.ts";
import { sga } from "./sga.ts";
import { nodesWithinTwoSteps } from "./two-steps.ts";

const backend = createReference();
const graph = randomGraph(40, 0.08, 6);
const view = toDevice(backend, graph);
const model = new Sgc(backend, { features: 3, classes: 3 }, sgcDefaults, new Rng(2));
const nodes = Array.from({ length: 40 }, (_, node) => node).filter((node) => neighboursOf(graph, node).length > 1);

async function attack(options: Parameters<typeof sga>[3], task: Partial<LocalTask> = {}): Promise<LocalResult[]> {
  const whole = { nodes, budget: { flips: 3 }, rng: new Rng(0), ...task };
  const results: LocalResult[] = [];
  for await (const result of sga(model, view, whole, options)) results.push(result);
  return results;
}

describe("sga", () => {
  test("inserts edges to nodes of one wrong class only", async () => {
    for (const { node, label, perturbation } of await attack({})) {
      const { sources, targets } = perturbation.flips;
      const ends = Array.from(sources, (source, k) => (source === node ? targets[k] : source));
      const added = ends.filter((end) => !neighboursOf(graph, node).includes(end));
      const classes = new Set(added.map((end) => graph.labels[end]));
      expect(classes.size).toBeLessThanOrEqual(1);
      expect(classes.has(label)).toBe(false);
    }
  });

  test("makes fewer flips where a flipped edge may win again", async () => {
    const count = (results: LocalResult[]) => results.reduce((sum, r) => sum + r.perturbation.flips.sources.length, 0);
    const task = { budget: { flips: 12 } };
    expect(count(await attack({ repeatFlips: true }, task))).toBeLessThan(count(await attack({}, task)));
  });

  test("finds other flips with the rival class or the context of the published code", async () => {
    const flips = async (options: Parameters<typeof sga>[3]) =>
      (await attack(options)).map(({ perturbation }) => perturbation.flips);
    const plain = await flips({});
    expect(await flips({ rival: "unnormalised" })).not.toEqual(plain);
    expect(await flips({ context: "subgraph" })).not.toEqual(plain);
  });

  test("can be evaluated on the nodes within two steps, before and after", async () => {
    const victim = new Gcn(backend, { features: 3, classes: 3 }, { ...gcnDefaults, hidden: [4] }, new Rng(3));
    const [result] = await attack({ evaluateOn: "subgraph" }, { nodes: [nodes[0]], victim });
    const { node, label, perturbation } = result;
    const nearby = async (whole: typeof graph) => {
      const near = Int32Array.from(nodesWithinTwoSteps(whole, node)).sort();
      const small = toDevice(backend, inducedSubgraph(whole, near));
      return nodeOutcome((await nodeLogits(victim, small, [near.indexOf(node)]))[0], label);
    };
    expect(result.clean).toEqual(await nearby(graph));
    expect(result.adversarial).toEqual(await nearby(applyFlips(graph, perturbation.flips)));
    expect(result.clean.margin).not.toBe((await attack({}, { nodes: [nodes[0]], victim }))[0].clean.margin);
  });
});
