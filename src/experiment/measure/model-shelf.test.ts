import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import type { Model } from "../../nn/model.ts";
import { planStudy } from "../study/plan-study.ts";
import { Artefacts } from "./artefacts.ts";
import { ModelShelf } from "./model-shelf.ts";
import { openRun } from "./opened-run.ts";

async function weightsOf(model: Model): Promise<number[][]> {
  return Promise.all([...model.parameters.values()].map(async (tensor) => [...(await tensor.read())]));
}

test("a model has the weights that another device or other hyperparameters found, and is trained once", async () => {
  const models = [{ name: "sgc", options: { maxEpochs: 20 } }];
  const { runs } = await planStudy({
    name: "s",
    parts: [{ datasets: [{ dataset: "synthetic-citation" }], models, seeds: [3] }],
  });
  const [{ description: run }] = runs;
  const there = { ...run, cell: { ...run.cell, device: "another", trainedOn: "cpu" } };
  const opened = await openRun(run, { artefacts: new Artefacts(temporaryFolder()), threads: 1, facts: {} });
  const shelf = () => new ModelShelf(opened, { artefacts: new Artefacts(temporaryFolder()), threads: 1, facts: {} });
  const here = shelf();
  const elsewhere = shelf();
  const { model: description } = run.cell;
  const reference = await here.get(run, description, {});
  const model = await elsewhere.get(there, description, {});
  expect(await weightsOf(model)).toEqual(await weightsOf(reference));
  expect([...model.parameters.values()][0].backend).toBe(opened.session.backend);
  expect(await elsewhere.get(there, description, {})).toBe(model);
  const used = { ...description, hyperparameters: { ...description.hyperparameters, maxEpochs: 1 } };
  const borrowed = await here.get(run, { ...used, trainedWith: description.hyperparameters }, {});
  expect(await weightsOf(borrowed)).toEqual(await weightsOf(reference));
  expect(await weightsOf(await here.get(run, used, {}))).not.toEqual(await weightsOf(reference));
  for (const each of [here, elsewhere]) await each.close();
  await opened.session.close();
});
