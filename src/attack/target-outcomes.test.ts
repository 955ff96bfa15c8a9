import { expect, test } from "vitest";
import { attackCase } from "../../test/support/attack-case.ts";
import { createReference } from "../backend/reference/reference.ts";
import { evaluate, predict } from "../nn/training/evaluate.ts";
import { withFlips } from "../tensor/index.ts";
import { accuracyAfter } from "./attack-with.ts";
import { classify, classifyAfter, TargetOutcomes } from "./target-outcomes.ts";

const flips = { sources: Int32Array.of(0, 0, 1, 2), targets: Int32Array.of(5, 6, 7, 9) };

test("margins are the logit of the true class minus the largest other", async () => {
  const { model, view, graph } = await attackCase(createReference(), 3);
  const nodes = [4, 1, 9];
  const logits = await predict(model, view).read();
  const { margins, predictions } = await classify(model, view, nodes);
  for (const [k, node] of nodes.entries()) {
    const row = Array.from(logits.slice(node * graph.numClasses, (node + 1) * graph.numClasses));
    const own = row[graph.labels[node]];
    const others = row.filter((_, c) => c !== graph.labels[node]);
    expect(margins[k]).toBeCloseTo(own - Math.max(...others), 12);
    expect(predictions[k]).toBe(row.indexOf(Math.max(...row)));
  }
});

test("outcomes name each node in the order given, and their accuracy is that of an evaluation", async () => {
  const { model, view, graph } = await attackCase(createReference(), 3, { numNodes: 20, density: 0.1 });
  const nodes = [7, 2, 0, 5, 1, 9, 6];
  const clean = await classify(model, view, nodes);
  const adversarial = await classifyAfter(model, view, flips, nodes);
  const outcomes = new TargetOutcomes(graph.labels, nodes, clean, adversarial);
  expect(Array.from(outcomes, ({ node }) => node)).toEqual(nodes);
  expect(outcomes.accuracy).toEqual({
    clean: await evaluate(model, view, nodes),
    adversarial: await accuracyAfter(model, view, flips, nodes),
  });
  expect(outcomes.accuracy.adversarial).toBeLessThan(1); // something is lost
  const perturbed = await classify(model, withFlips(view, flips), nodes);
  expect(perturbed).toEqual(adversarial);
  for (const [k, { label, adversarial }] of [...outcomes].entries()) {
    expect(adversarial).toEqual({
      prediction: perturbed.predictions[k],
      margin: perturbed.margins[k],
      correct: perturbed.predictions[k] === label,
    });
  }
});

test("a tie goes to the first class, as in every evaluation", () => {
  const tied = { predictions: Int32Array.of(0, 0), margins: Float32Array.of(0, 0), score: 1 };
  const outcomes = new TargetOutcomes(Int32Array.of(0, 1), [0, 1], tied, tied);
  expect(Array.from(outcomes, ({ clean }) => clean.correct)).toEqual([true, false]);
  expect(outcomes.accuracy.clean).toBe(0.5);
});

test("classifying gives its memory back, also when a node is not there", async () => {
  const backend = createReference();
  const { model, view } = await attackCase(backend, 3);
  view.adjacency.transposed; // made once and kept with the graph
  const before = backend.memory.current;
  await classify(model, view, [1, 2]);
  await classifyAfter(model, view, flips, [1, 2]);
  await expect(classify(model, view, [99])).rejects.toThrow("node 99 must be in 0 … 13");
  expect(backend.memory.current).toBe(before);
});
