// What the engine is asked to do in Node and on a page alike: train a GCN on a small graph, and attack it with PR-BCD.
/** `root` is where the built package lies; `device` is "wasm" or "webgpu"; without `attack` it only trains. */
export async function trainAndAttack({ root, device, attack }) {
  const load = (path) => import(`${root}/${path}.js`);
  const { Rng } = await load("core/rng");
  const { generateShape } = await load("graph/generate-shape");
  const { scaleShape, shapeNamed } = await load("graph/shapes");
  const { toDevice } = await load("tensor/graph-view");
  const { Gcn, gcnDefaults } = await load("nn/models/gcn");
  const { train, trainDefaults } = await load("nn/training/train");
  const { prbcd } = await load("attack/prbcd");
  const backend =
    device === "wasm"
      ? await (await load("backend/wasm/wasm")).createWasm({ threads: 3, relaxedSimd: false })
      : await (await load("backend/webgpu/webgpu")).createWebGpu();
  const graph = generateShape({ ...scaleShape(shapeNamed("cora_ml"), 0.03), numFeatures: 12 });
  const view = toDevice(backend, graph);
  const sizes = { features: graph.numFeatures, classes: graph.numClasses };
  const model = new Gcn(backend, sizes, { ...gcnDefaults, hidden: [8] }, new Rng(0));
  const nodes = Array.from({ length: graph.numNodes }, (_, i) => i);
  const task = { train: nodes.slice(0, 40), val: nodes.slice(40), rng: new Rng(1) };
  const { trainLoss } = await train(model, view, task, { ...trainDefaults, maxEpochs: attack ? 20 : 4 });
  if (!attack) {
    await backend.close();
    return { trainLoss };
  }
  const options = { blockSize: 500, epochs: 12, fineTuneEpochs: 3, samples: 3 };
  const { perturbation, accuracy } = await prbcd(model, view, { nodes, budget: 10, rng: new Rng(2) }, options);
  const { sources, targets } = perturbation.flips;
  await backend.close();
  return { trainLoss, sources: [...sources], targets: [...targets], accuracy };
}
