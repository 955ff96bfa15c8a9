import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { createWasm } from "../backend/wasm/wasm.ts";
import { Interrupted, UserError } from "../core/errors.ts";
import { preprocess } from "../data/preprocess.ts";
import { formatNpzGraph } from "../data/writers/npz-graph.ts";
import { generateShape } from "../graph/generate-shape.ts";
import { scaleShape, shapeNamed } from "../graph/shapes.ts";
import type { GraphFile, OpenedGraph, PlayedAttack, TrainedModel } from "./calls.ts";
import { Lab } from "./lab.ts";

const quick = { maxEpochs: 60, hidden: [16] };
const options = { epochs: 20, blockSize: 2000, samples: 3 };

/** A file as it travels: a small graph with three classes. */
function smallGraphFile(): GraphFile {
  const graph = generateShape({ ...scaleShape(shapeNamed("pubmed"), 0.02), numFeatures: 32 });
  return { name: "small.npz", bytes: formatNpzGraph(graph) };
}

async function newLab(): Promise<Lab> {
  return new Lab(await createWasm({ threads: 1 }), { device: "wasm" });
}

describe("a lab", () => {
  let lab: Lab;
  let opened: OpenedGraph;
  let trained: TrainedModel;
  let played: PlayedAttack;

  beforeAll(async () => {
    lab = await newLab();
    opened = await lab.call("graph", { files: [smallGraphFile()] });
    trained = await lab.call("train", { graph: opened.graph, model: "gcn", set: quick });
    played = await lab.call("attack", { model: trained.model, attack: "prbcd", epsilon: 0.1, options });
  });
  afterAll(() => lab.close());

  /** Share of the test nodes that have these predictions right. */
  function accuracyOf(predictions: ArrayLike<number>): number {
    const nodes = trained.roles.flatMap((role, node) => (role === "test" ? [node] : []));
    return nodes.filter((node) => predictions[node] === opened.labels[node]).length / nodes.length;
  }

  test("describes the graph of a file: counts, labels, and every edge once", () => {
    expect(opened.numNodes).toBe(opened.labels.length);
    expect(opened.edges).toHaveLength(2 * opened.numEdges);
    expect(opened.classes).toHaveLength(3);
  });

  test("answers in JSON that is the same after travelling", () => {
    for (const answer of [opened, trained, played]) expect(JSON.parse(JSON.stringify(answer))).toEqual(answer);
  });

  test("says of a trained model what it predicts for every node", () => {
    expect(accuracyOf(trained.predictions)).toBeCloseTo(trained.accuracy.test, 6);
    expect(trained.accuracy.test).toBeGreaterThan(0.5);
  });

  test("plays an attack: predictions along the budget lead from the clean graph to the attacked one", () => {
    const predictions = [...trained.predictions];
    for (const { nodes, predictions: changed, accuracy } of played.points) {
      for (const [k, node] of nodes.entries()) predictions[node] = changed[k];
      expect(accuracyOf(predictions)).toBeCloseTo(accuracy, 6);
    }
    expect(predictions).toEqual(played.after.predictions);
    expect(played.points[0]).toMatchObject({ flips: 0, accuracy: played.accuracy.clean });
    expect(played.points.at(-1)!.flips).toBe(played.flips.length / 2);
    expect(played.points.at(-1)!.accuracy).toBeCloseTo(played.accuracy.adversarial, 6);
    expect(played.accuracy.adversarial).toBeLessThan(played.accuracy.clean - 0.05);
    expect(played.flips.length / 2).toBeLessThanOrEqual(played.budget);
  });

  test("plays the most harmful flips first", () => {
    const { points, accuracy } = played;
    const halfway = points.findIndex(({ flips }) => flips >= played.flips.length / 4);
    expect(accuracy.clean - points[halfway].accuracy).toBeGreaterThan((accuracy.clean - accuracy.adversarial) / 2);
  });

  test("predicts with flips made by hand what the attack found with the same", async () => {
    const { nodes, predictions, accuracy } = await lab.call("predict", { model: trained.model, flips: played.flips });
    expect(accuracy).toBeCloseTo(played.accuracy.adversarial, 6);
    for (const [k, node] of nodes.entries()) expect(predictions[k]).toBe(played.after.predictions[node]);
    const none = await lab.call("predict", { model: trained.model, flips: [] });
    expect(none).toMatchObject({ nodes: [], accuracy: played.accuracy.clean });
  });

  test("takes the ends of an undirected edge in any order", async () => {
    const [a, b] = played.flips;
    const model = trained.model;
    expect(await lab.call("predict", { model, flips: [b, a] })).toEqual(
      await lab.call("predict", { model, flips: [a, b] }),
    );
  });

  test("finds the fewest flips that change a node, none of which can be spared", async () => {
    const node = trained.margins.findIndex((margin, k) => trained.roles[k] === "test" && margin! > 0.5);
    const found = await lab.call("attackNode", { model: trained.model, node });
    expect(found.success).toBe(true);
    expect(found.answers).toHaveLength(found.flips.length / 2 + 1);
    expect(found.answers[0]).toMatchObject({ correct: true, prediction: trained.predictions[node] });
    expect(found.answers.at(-1)!.correct).toBe(false);
    expect(found.surroundings.nodes[0]).toBe(node);
    for (let k = 0; k < found.flips.length && found.flips.length > 2; k += 2) {
      const flips = found.flips.toSpliced(k, 2);
      const { answers } = await lab.call("node", { graph: opened.graph, model: trained.model, node, flips });
      expect(answers!.flipped.correct).toBe(true);
    }
  });

  test("says which flips tipped a node: without them it keeps its class", async () => {
    const { graph } = opened;
    const { model } = trained;
    const { flips } = played;
    const node = trained.predictions.findIndex((before, k) => played.after.predictions[k] !== before);
    const seen = await lab.call("node", { graph, model, node, flips });
    expect(seen.answers!.flipped.prediction).toBe(played.after.predictions[node]);
    expect(seen.tipping.length).toBeGreaterThan(0);
    const alone = await lab.call("node", { graph, model, node, flips: seen.tipping });
    expect(alone.answers!.flipped.prediction).toBe(played.after.predictions[node]);
  });

  test("shows the surroundings of a node without any model", async () => {
    const { surroundings, answers, degree } = await lab.call("node", { graph: opened.graph, node: 3 });
    expect(answers).toBeNull();
    expect(surroundings.actions).toHaveLength(surroundings.edges.length / 2);
    const atNode = surroundings.edges.filter((node) => node === 3);
    expect(atNode).toHaveLength(degree);
  });

  const model = () => trained.model;
  test.each<[string, () => [string, object], string]>([
    ["an unknown call", () => ["fly", {}], 'unknown call "fly"; known are offer, open'],
    ["an unknown field", () => ["offer", { more: 1 }], 'offer: unknown field "more"; it takes none'],
    ["an unknown graph", () => ["open", { name: "nowhere" }], 'unknown graph "nowhere"; known are synthetic-citation'],
    ["a graph that is closed", () => ["train", { graph: "graph-0" }], 'the graph "graph-0" is not open any more'],
    ["an unknown model", () => ["attack", { model: "m", attack: "prbcd" }], 'the model "m" is not there any more'],
    ["an unknown attack", () => ["attack", { model: model(), attack: "x" }], 'unknown attack "x"; known are prbcd'],
    [
      "an option that the attack does not have",
      () => ["attack", { model: model(), attack: "dice", options: { speed: 1 } }],
      'dice: unknown option "speed"',
    ],
    ["half a pair", () => ["predict", { model: model(), flips: [1] }], "flips: 1 numbers are no pairs"],
    ["a self loop", () => ["predict", { model: model(), flips: [4, 4] }], "is a self loop"],
    [
      "a node that is not there",
      () => ["attackNode", { model: model(), node: 1e6 }],
      "node must be a whole number in 0",
    ],
    [
      "files without a graph",
      () => ["graph", { files: [{ name: "a.xyz", bytes: Uint8Array.of(1) }] }],
      "a file that ends in .xyz",
    ],
  ])("refuses %s in one line", async (_, request, message) => {
    const [name, fields] = request();
    const failing = lab.call(name, fields as never);
    await expect(failing).rejects.toThrow(UserError);
    await expect(failing).rejects.toThrow(message);
  });

  test("still has the graph after a file that cannot be read", async () => {
    await lab.call("graph", { files: [{ name: "broken.npz", bytes: Uint8Array.of(1, 2) }] }).catch(() => {});
    await expect(lab.call("node", { graph: opened.graph, node: 0 })).resolves.toBeDefined();
  });
});

test("a call that is ended while it trains throws, and the lab goes on", async () => {
  const lab = await newLab();
  onTestFinished(() => lab.close());
  const { graph } = await lab.call("graph", { files: [smallGraphFile()] });
  const stop = new AbortController();
  const progress = { update: (done: number) => done > 3 && stop.abort() };
  const training = lab.call("train", { graph, model: "gcn" }, { progress, signal: stop.signal });
  const ended = expect(training).rejects.toThrow(Interrupted);
  await expect(lab.call("offer", {})).resolves.toMatchObject({ device: "wasm" });
  await ended;
});

test("a lab offers graphs of its loader beside the built-in ones", async () => {
  const graph = generateShape({ ...scaleShape(shapeNamed("pubmed"), 0.02), numFeatures: 8 });
  const raw = { ...graph, name: "mine", where: "mine" };
  const loader = { list: () => [{ name: "mine", summary: "my own" }], load: async () => preprocess(raw) };
  const lab = new Lab(await createWasm({ threads: 1 }), { device: "wasm", loader });
  onTestFinished(() => lab.close());
  const { graphs } = await lab.call("offer", {});
  expect(graphs.map(({ name }) => name)).toEqual(["synthetic-citation", "synthetic-large", "mine"]);
  expect(await lab.call("open", { name: "mine" })).toMatchObject({ name: "mine", numNodes: 394 });
});

test("a lab computes large graphs on a GPU where there is one, and small ones never", async () => {
  const gpu = await createWasm({ threads: 1 });
  let asked = 0;
  const uploads = vi.spyOn(gpu, "upload");
  const openGpu = async () => {
    asked++;
    return gpu;
  };
  const lab = new Lab(await createWasm({ threads: 1 }), { device: "wasm", openGpu });
  await lab.call("open", { name: "synthetic-citation" });
  expect(asked).toBe(0);
  await lab.call("open", { name: "synthetic-large" });
  await lab.call("open", { name: "synthetic-large" });
  expect(asked).toBe(1);
  expect(uploads).toHaveBeenCalled();
  await lab.close();
});

test("a lab without a GPU computes large graphs on the CPU", async () => {
  const openGpu = () => Promise.reject(new Error("no adapter"));
  const lab = new Lab(await createWasm({ threads: 1 }), { device: "wasm", openGpu });
  await expect(lab.call("open", { name: "synthetic-large" })).resolves.toMatchObject({ numNodes: 20_000 });
  await lab.close();
});
