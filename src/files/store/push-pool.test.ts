import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { sharedFolder } from "../../../test/support/temporary-folder.ts";
import { scaleShape, shapeNamed } from "../../graph/shapes.ts";
import { pushRowsOf } from "../../ppr/push-rows.ts";
import { makeStore } from "./make-store.ts";
import { type GraphStore, openStore } from "./open-store.ts";
import { PushPool } from "./push-pool.ts";

const OPTIONS = { alpha: 0.1, epsilon: 1e-3, k: 8 };

describe("PushPool", () => {
  const folder = join(sharedFolder(), "graph.store");
  beforeAll(() => makeStore(scaleShape(shapeNamed("arxiv"), 0.01), folder));

  async function withPool(numThreads: number, use: (pool: PushPool, store: GraphStore) => Promise<void>) {
    const store = openStore(folder);
    const pool = PushPool.open(store, numThreads);
    try {
      await use(pool, store);
    } finally {
      await pool.close();
      store.close();
    }
  }

  test("gives the rows of a push on one thread, in the order of the nodes, for any number of threads", async () => {
    for (const numThreads of [1, 2, 3]) {
      await withPool(numThreads, async (pool, store) => {
        const nodes = Int32Array.from({ length: 301 }, (_, t) => (t * 977) % store.numNodes);
        expect(await pool.push(nodes, OPTIONS)).toEqual(pushRowsOf(store, store.numNodes, nodes, OPTIONS));
      });
    }
  });

  test("answers several requests at once, also for no nodes and for more threads than nodes", async () => {
    await withPool(3, async (pool, store) => {
      const asked = [Int32Array.of(7, 5, 7), new Int32Array(0), Int32Array.of(1000)];
      const answers = await Promise.all(asked.map((nodes) => pool.push(nodes, OPTIONS)));
      for (const [t, nodes] of asked.entries()) {
        expect(answers[t]).toEqual(pushRowsOf(store, store.numNodes, nodes, OPTIONS));
      }
    });
  });

  test("says which node is not there, and goes on", async () => {
    await withPool(1, async (pool, store) => {
      await expect(pool.push(Int32Array.of(3, store.numNodes), OPTIONS)).rejects.toThrow(
        `node ${store.numNodes} must be in 0 … ${store.numNodes - 1}`,
      );
      expect((await pool.push(Int32Array.of(3), OPTIONS)).numRows).toBe(1);
    });
  });

  test("ends requests that are under way when it is closed", async () => {
    const store = openStore(folder);
    const pool = PushPool.open(store, 1);
    const ended = expect(
      pool.push(
        Int32Array.from({ length: 500 }, (_, v) => v),
        OPTIONS,
      ),
    ).rejects.toThrow("closed");
    await pool.close();
    await ended;
    store.close();
  });
});
