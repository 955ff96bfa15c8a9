import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { killWhen, sourceUrl } from "../../../test/support/kill-when.ts";
import { sharedFolder } from "../../../test/support/temporary-folder.ts";
import { makeStore } from "../../files/store/make-store.ts";
import { scaleShape, shapeNamed } from "../../graph/shapes.ts";
import { encodeWeights } from "../../nn/weights/weights.ts";
import type { NodeSession } from "../node-session.ts";
import { runTrain, type TrainChoice, type TrainReport } from "../run-train.ts";
import { openSession } from "../session.ts";
import { openForModel } from "./open-for-model.ts";
import { openStoreSession, StoreSession } from "./store-session.ts";

const set = { hidden: [16], batchNorm: true, batchSize: 64, valBatches: 0.5, maxEpochs: 3, learningRate: 0.01 };

describe("a session on a store", () => {
  const folder = join(sharedFolder(), "graph.store");
  const where = { dataset: folder, device: "cpu", threads: 2 };
  beforeAll(() => makeStore({ ...scaleShape(shapeNamed("arxiv"), 0.01), numFeatures: 20 }, folder));

  async function using<T>(session: NodeSession, work: (session: NodeSession) => Promise<T>): Promise<T> {
    return work(session).finally(() => session.close());
  }

  /** The weights of a training, as bytes of a file. */
  async function trained(
    session: NodeSession,
    choice: TrainChoice,
  ): Promise<{ bytes: Uint8Array; report: TrainReport }> {
    const { built, report } = await runTrain(session, choice);
    const sizes = { features: session.graph.numFeatures, classes: session.graph.numClasses };
    const bytes = await encodeWeights(built.model, { sizes }).finally(() => built.model.dispose());
    session.discardCheckpoint?.();
    return { bytes, report };
  }

  test.each(["pprgo", "soft-median-pprgo"])(
    "trains %s to the weights that it gets in memory, bit by bit",
    async (model) => {
      const choice = { model, seed: 3, set };
      const onStore = await using(await openStoreSession(where), (session) => trained(session, choice));
      const inMemory = await using(await openSession(where), (session) => trained(session, choice));
      expect(onStore.bytes).toEqual(inMemory.bytes);
      expect(Object.keys(onStore.report)).toEqual(Object.keys(inMemory.report));
      const { split, hyperparameters, epochs, bestEpoch, dataset, preset } = onStore.report;
      expect(inMemory.report).toMatchObject({ split, hyperparameters, epochs, bestEpoch, dataset, preset });
      for (const which of ["train", "val", "test"] as const) {
        expect(onStore.report.accuracy[which]).toBeCloseTo(inMemory.report.accuracy[which], 6);
      }
    },
  );

  test("says of nodes what the model says in memory, in batches", async () => {
    const choice = { model: "pprgo", seed: 3, set };
    const nodes = Int32Array.from({ length: 700 }, (_, t) => (t * 31) % 1500);
    const ask = async (session: NodeSession) => {
      const { built } = await runTrain(session, choice);
      return session.predict(built.model, nodes);
    };
    const onStore = await using(await openStoreSession(where), ask);
    const inMemory = await using(await openSession(where), ask);
    expect(onStore.nodes).toEqual(nodes);
    expect(onStore.predictions).toEqual(inMemory.predictions);
    expect(Array.from(onStore.margins, Number.isNaN)).toEqual(Array.from(inMemory.margins, Number.isNaN));
    for (const t of nodes.keys()) expect(onStore.confidences[t]).toBeCloseTo(inMemory.confidences[t], 5);
  });

  test("learns from a sample of the training nodes, which the seed decides on", async () => {
    const train = (seed: number) =>
      openStoreSession(where).then((opened) =>
        using(opened, (session) => trained(session, { model: "pprgo", seed, set, trainNodes: 50 })),
      );
    const { bytes, report } = await train(1);
    const { train: all, val } = report.split;
    expect(report.sample).toEqual({ train: 50, val: Math.round((50 / all) * val) });
    expect((await train(1)).bytes).toEqual(bytes);
    expect((await train(2)).bytes).not.toEqual(bytes);
    await expect(
      openStoreSession(where).then((opened) =>
        using(opened, (session) => trained(session, { model: "pprgo", seed: 0, trainNodes: all + 1 })),
      ),
    ).rejects.toThrow(`--train-nodes must be 1 to ${all}, the training nodes of the split, got ${all + 1}`);
  });

  test("killed while it trains, goes on to the same weights and leaves no checkpoint behind", async () => {
    const long = { model: "pprgo", seed: 5, set: { ...set, maxEpochs: 40 } };
    const rows = join(folder, "pagerank");
    const checkpoints = () =>
      readdirSync(rows, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".safetensors"));
    const script = `
      import { openStoreSession } from ${JSON.stringify(sourceUrl("src/experiment/on-store/store-session.ts"))};
      import { runTrain } from ${JSON.stringify(sourceUrl("src/experiment/run-train.ts"))};
      const session = await openStoreSession({ ...${JSON.stringify(where)}, checkpointMilliseconds: 0 });
      await runTrain(session, ${JSON.stringify(long)});
      process.exit(0);`;
    const savedAt = () => (existsSync(rows) ? checkpoints().map((file) => statSync(join(rows, file)).mtimeMs) : []);
    for (let kill = 0; kill < 2; kill++) {
      const before = savedAt()[0] ?? 0;
      expect(await killWhen(script, () => savedAt().some((time) => time > before))).toBe(true);
    }
    const lines: string[] = [];
    const resumed = await using(await openStoreSession(where), async (session) => {
      const { built } = await runTrain(session, long, { warn: (line) => lines.push(line) });
      expect(checkpoints()).toHaveLength(1); // until the weights are safe
      session.discardCheckpoint?.();
      return encodeWeights(built.model, { sizes: { features: 20, classes: 40 } });
    });
    expect(lines.some((line) => /^goes on from .*\.safetensors; remove it to start anew$/.test(line))).toBe(true);
    expect(checkpoints()).toEqual([]);
    const undisturbed = await using(await openSession(where), (session) => trained(session, long));
    expect(resumed).toEqual(undisturbed.bytes);
  });

  test("is opened for models that learn from rows; others load the whole graph", async () => {
    const pprgo = await openForModel(where, "soft-medoid-pprgo");
    expect(pprgo).toBeInstanceOf(StoreSession);
    await pprgo.close();
    const gcn = await openForModel(where, "gcn");
    expect(gcn).not.toBeInstanceOf(StoreSession);
    expect(gcn.graph.numNodes).toBe(pprgo.graph.numNodes);
    await gcn.close();
  });
});
