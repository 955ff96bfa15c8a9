import { describe, expect, test } from "vitest";
import { silent } from "../../core/progress.ts";
import type { Model } from "../../nn/model.ts";
import { openSession } from "../session.ts";
import { TrainedModels } from "./trained-models.ts";

const short = { maxEpochs: 20 };
const where = { threads: 1 };
const options = { where, steps: { begin: () => silent, end() {} } };

async function weightsOf(model: Model): Promise<number[][]> {
  return Promise.all([...model.parameters.values()].map(async (tensor) => [...(await tensor.read())]));
}

describe("TrainedModels", () => {
  test("brings weights that the CPU found to another device", async () => {
    const session = await openSession({ ...where, dataset: "synthetic-citation", device: "cpu" });
    const elsewhere = { ...session, device: "another" };
    const here = new TrainedModels(session, 3, options);
    const there = new TrainedModels(elsewhere, 3, { ...options, trainOnCpu: true });
    const model = await there.get("sgc", short);
    expect(await weightsOf(model)).toEqual(await weightsOf(await here.get("sgc", short)));
    expect([...model.parameters.values()][0].backend).toBe(session.backend);
    expect(await there.get("sgc", short)).toBe(model);
    const accuracy = await here.cleanAccuracy("sgc", short);
    expect(accuracy).toBeGreaterThan(0.5);
    expect(await there.cleanAccuracy("sgc", short)).toBe(accuracy);
    for (const models of [here, there]) await models.dispose();
    await session.close();
  });
});
