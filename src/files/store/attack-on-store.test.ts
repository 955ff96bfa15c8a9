import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { localPrbcdOnRows } from "../../attack/local/local-prbcd.ts";
import { createWasm } from "../../backend/wasm/wasm.ts";
import { Rng } from "../../core/rng.ts";
import { scaleShape, shapeNamed } from "../../graph/shapes.ts";
import { Pprgo, pprgoDefaults } from "../../nn/models/pprgo.ts";
import { makeStore } from "./make-store.ts";
import { openStore } from "./open-store.ts";

test("a store can be attacked as it is, without threads beside", async () => {
  const folder = join(temporaryFolder(), "graph.store");
  await makeStore(scaleShape(shapeNamed("papers100M"), 2e-5), folder);
  const store = openStore(folder);
  const backend = await createWasm({ threads: 1 });
  const sizes = { features: store.header.numFeatures, classes: store.header.numClasses };
  const model = new Pprgo(backend, sizes, pprgoDefaults, new Rng(0));
  const nodes = store.split("public").train.slice(0, 2);
  const task = { nodes, budget: { flips: 1 }, rng: new Rng(0) };
  const attacked: number[] = [];
  for await (const { node } of localPrbcdOnRows(model, store, task, { blockSize: 50, epochs: 3 })) attacked.push(node);
  expect(attacked).toEqual([...nodes]);
  const unlabelled = Array.from({ length: 400 }, (_, v) => v).find((v) => store.labels([v])[0] < 0)!;
  const refused = localPrbcdOnRows(model, store, { ...task, nodes: [unlabelled] });
  await expect(refused.next()).rejects.toThrow(`node ${unlabelled} has no label; choose labelled nodes`);
  store.close();
  await backend.close();
});
