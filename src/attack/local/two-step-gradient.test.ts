import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { randomGraph } from "../../../test/support/any-graph.ts";
import { createReference } from "../../backend/reference/reference.ts";
import { Rng } from "../../core/rng.ts";
import type { Graph } from "../../graph/graph.ts";
import { Sgc, sgcDefaults } from "../../nn/models/sgc.ts";
import {
  add,
  affine,
  type GraphView,
  gatherRows,
  IntTensor,
  layOver,
  pick,
  propagate,
  scaleRows,
  sub,
  sum,
  type Tensor,
  tensor,
  toDevice,
  valueAndGrad,
} from "../../tensor/index.ts";
import { blockOfFlips } from "../block.ts";
import { candidateFlips, neighboursOf } from "./candidates.ts";
import { type LinearTwoStep, linearTwoStep, scaleOf } from "./linear-two-step.ts";
import { TwoStepGradient } from "./two-step-gradient.ts";
import { TwoStepRow } from "./two-step-row.ts";

const backend = createReference();
const classes = { from: 0, to: 2 };

describe("TwoStepGradient", () => {
  test("equals the gradient through two propagations with fixed degrees, on any graph", async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(1e6), fc.constantFrom(0.1, 0.3, 0.7), fc.nat(9), async (seed, density, node) => {
        const graph = randomGraph(10, density, seed);
        const linear = await linearOf(graph);
        const gradient = new TwoStepGradient(linear, new TwoStepRow(linear, node), classes, "graph");
        const pairs = candidateFlips(graph, { node, influence: "both" });
        const expected = await gradientByTape(graph, linear, node);
        for (let k = 0; k < pairs.sources.length; k++) {
          expect(gradient.ofFlip(pairs.sources[k], pairs.targets[k])).toBeCloseTo(expected[k], 10);
        }
      }),
      { numRuns: 30 },
    );
  });

  test("of a pair that touches neither the node nor its neighbours is 0", async () => {
    const graph = randomGraph(10, 0.1, 3);
    const linear = await linearOf(graph);
    const gradient = new TwoStepGradient(linear, new TwoStepRow(linear, 0), classes, "graph");
    const far = Array.from({ length: 10 }, (_, v) => v).filter((v) => v !== 0 && !neighboursOf(graph, 0).includes(v));
    expect(far.length).toBeGreaterThan(1);
    expect(gradient.at(far[0], far[1])).toBe(0);
  });

  test("within two steps sees a farther node as if it had no edges", async () => {
    const graph = randomGraph(10, 0.12, 8);
    const linear = await linearOf(graph);
    const row = new TwoStepRow(linear, 1);
    const within = new TwoStepGradient(linear, row, classes, "subgraph");
    const whole = new TwoStepGradient(linear, row, classes, "graph");
    const near = [1, ...neighboursOf(graph, 1)].flatMap((v) => [v, ...neighboursOf(graph, v)]);
    const far = Array.from({ length: 10 }, (_, v) => v).find((v) => !near.includes(v) && row.degree(v) > 0)!;
    const f = (v: number) => row.score(v)[classes.to] - row.score(v)[classes.from];
    const self = row.scale(far) ** 2 * f(far);
    const through = row.scale(1) ** 2 * f(far);
    expect(within.at(1, far)).toBeCloseTo(row.scale(1) * row.scale(far) * (self + through), 12);
    expect(within.at(1, far)).not.toBeCloseTo(whole.at(1, far), 6);
    for (const v of neighboursOf(graph, 1)) expect(within.at(1, v)).toBeCloseTo(whole.at(1, v), 12);
  });
});

async function linearOf(graph: Graph): Promise<LinearTwoStep> {
  const model = new Sgc(backend, { features: 3, classes: 3 }, sgcDefaults, new Rng(1));
  return linearTwoStep("test", model, toDevice(backend, graph));
}

/** The same by the tape: Â·Â·F with the scales as constants. */
async function gradientByTape(graph: Graph, { scores }: LinearTwoStep, node: number) {
  const view = toDevice(backend, graph);
  const n = graph.numNodes;
  const scales = tensor(
    backend,
    Float64Array.from({ length: n }, (_, v) => scaleOf(neighboursOf(graph, v).length)),
    [n],
  );
  const F = tensor(backend, scores, [n, 3]);
  const block = blockOfFlips(view, candidateFlips(graph, { node, influence: "both" }));
  const none = blockOfFlips(view, { sources: new Int32Array(0), targets: new Int32Array(0) });
  const step = (at: GraphView, H: Tensor) => {
    const scaled = scaleRows(H, scales);
    return scaleRows(add(propagate(at, scaled), scaled), scales);
  };
  const { grads } = valueAndGrad(() => {
    const at = layOver(view, none, 0, block);
    const z = gatherRows(step(at, step(at, F)), IntTensor.from(backend, [node]));
    const logit = (c: number) => pick(z, IntTensor.from(backend, [c]));
    return [sum(affine(sub(logit(classes.to), logit(classes.from)), 1))];
  }, [block.weights]);
  return grads[0].read();
}
