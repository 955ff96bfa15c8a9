/**
 * Attacks a model that the library does not know. Any object with a `forward` made of its ops can be trained and
 * attacked: `propagate` and `degrees` carry the gradient to every candidate edge, whatever happens around them.
 */
import * as rgnn from "../src/index.ts";
import { constant, featureProduct, glorot } from "../src/nn/index.ts";
import * as ops from "../src/tensor/index.ts";

const { add, addBias, affine, degrees, matmul, propagate, reciprocal, relu, scaleRows } = ops;

/** Every node looks at itself and, with other weights, at the average of its neighbours (as in GraphSAGE). */
function sage(cpu: rgnn.Backend, features: number, hidden: number, classes: number, rng: rgnn.Rng): rgnn.Model {
  const parameters = {
    self: glorot(cpu, features, hidden, rng),
    neighbours: glorot(cpu, features, hidden, rng),
    out: glorot(cpu, hidden, classes, rng),
    bias: constant(cpu, [classes], 0),
  };
  return {
    name: "sage",
    config: { hidden },
    differentiable: { edges: true },
    parameters: new Map(Object.entries(parameters)),
    statistics: new Map(),
    forward(view) {
      const { self, neighbours, out, bias } = parameters;
      const times = (W: ops.Tensor) => featureProduct(view.features, W);
      const share = reciprocal(affine(degrees(view, "row"), 1, 1e-6)); // no division by zero
      const average = (H: ops.Tensor) => scaleRows(propagate(view, H), share);
      const H = relu(add(times(self), average(times(neighbours))));
      const Z = matmul(H, out);
      return addBias(add(Z, average(Z)), bias);
    },
    dispose() {
      for (const parameter of Object.values(parameters)) parameter.dispose();
    },
  };
}

const cpu = await rgnn.createWasm();
const graph = rgnn.syntheticCitation();
const view = rgnn.toDevice(cpu, graph);
const split = rgnn.randomSplit(graph.labels, graph.numClasses, 0);
const model = sage(cpu, graph.numFeatures, 32, graph.numClasses, new rgnn.Rng(0));
const learn = { train: split.train, val: split.val, rng: new rgnn.Rng(1) };
await rgnn.train(model, view, learn, { ...rgnn.trainDefaults, maxEpochs: 60 });

const task = { nodes: split.test, budget: rgnn.edgeBudget(graph, 0.05), rng: new rgnn.Rng(2) };
const { accuracy } = await rgnn.grbcd(model, view, task, { blockSize: 100_000, epochs: 40 });
console.log(`accuracy: ${accuracy.clean.toFixed(3)} clean, ${accuracy.adversarial.toFixed(3)} attacked`);
await cpu.close();
