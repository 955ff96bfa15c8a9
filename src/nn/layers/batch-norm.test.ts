import { expect, test } from "vitest";
import { expectValues } from "../../../test/support/dense.ts";
import { createReference } from "../../backend/reference/reference.ts";
import { Rng } from "../../core/rng.ts";
import { Constants, tensor } from "../../tensor/index.ts";
import { BatchNorm } from "./batch-norm.ts";

const backend = createReference();
const training = { constants: new Constants(), dropout: new Rng(0) };
const evaluation = { constants: new Constants(), dropout: null };
const X = tensor(backend, [1, 10, 3, 10, 5, 10], [3, 2]);
const running = (norm: BatchNorm) => new Map(norm.statistics("n"));

test("training normalises each feature over the nodes", async () => {
  const root = Math.sqrt(8 / 3 + 1e-5); // of the biased variance
  await expectValues(new BatchNorm(backend, 2).forward(X, training), [-2 / root, 0, 0, 0, 2 / root, 0]);
});

test("training moves the running averages a tenth of the way to the batch, with the unbiased variance", async () => {
  const norm = new BatchNorm(backend, 2);
  norm.forward(X, training);
  await expectValues(running(norm).get("n.running_mean")!, [0.3, 1]);
  await expectValues(running(norm).get("n.running_var")!, [0.9 + 0.1 * 4, 0.9]);
  norm.forward(X, training);
  await expectValues(running(norm).get("n.running_mean")!, [0.57, 1.9]);
});

test("evaluation scales by the running averages, the trained scale and shift, and changes nothing", async () => {
  const norm = new BatchNorm(backend, 2);
  running(norm).get("n.running_mean")!.assign(Float64Array.of(1, 2));
  running(norm).get("n.running_var")!.assign(Float64Array.of(4, 9));
  norm.named()["weight"].assign(Float64Array.of(2, 3));
  norm.named()["bias"].assign(Float64Array.of(0.5, -1));
  const Y = norm.forward(tensor(backend, [3, 5], [1, 2]), evaluation);
  await expectValues(Y, [(2 * 2) / Math.sqrt(4 + 1e-5) + 0.5, (3 * 3) / Math.sqrt(9 + 1e-5) - 1]);
  await expectValues(running(norm).get("n.running_mean")!, [1, 2]);
  expect(Y.shape).toEqual([1, 2]);
});
