import { cpSync, existsSync, readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { killWhen, sourceUrl } from "../../../../test/support/kill-when.ts";
import { sharedFolder, temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { scaleShape, shapeNamed } from "../../../graph/shapes.ts";
import { pushRowsOf } from "../../../ppr/push-rows.ts";
import { makeStore } from "../make-store.ts";
import { type GraphStore, openStore } from "../open-store.ts";
import { type RowsWanted, rowsFolder } from "./rows-folder.ts";
import { keptRows } from "./stored-rows.ts";

const options = { alpha: 0.1, epsilon: 1e-3, k: 8 };

describe("keptRows", () => {
  const made = join(sharedFolder(), "graph.store");
  beforeAll(() => makeStore(scaleShape(shapeNamed("arxiv"), 0.02), made));

  /** A store of its own for each test. */
  async function withStore(use: (store: GraphStore) => Promise<void>): Promise<void> {
    const folder = join(temporaryFolder(), "graph.store");
    cpSync(made, folder, { recursive: true });
    const store = openStore(folder);
    await use(store).finally(() => store.close());
  }

  const someNodes = (length: number): Int32Array => Int32Array.from({ length }, (_, t) => 3 * t);

  test("pushes rows once and reads those that are asked for, in any order", () =>
    withStore(async (store) => {
      const wanted: RowsWanted = { nodes: someNodes(600), options };
      for (const reused of [false, true]) {
        const kept = await keptRows(store, wanted, { threads: 2 });
        expect(kept.reused).toBe(reused);
        expect(kept.rows.numRows).toBe(600);
        const positions = Int32Array.of(599, 0, 17, 17);
        const nodes = positions.map((t) => 3 * t);
        expect(kept.rows.select(positions)).toEqual(pushRowsOf(store, store.numNodes, nodes, options));
        kept.rows.close();
      }
    }));

  test("keeps rows of other settings, nodes or orders of nodes apart", () =>
    withStore(async (store) => {
      const nodes = Int32Array.of(1, 2);
      const folders = [
        { nodes, options },
        { nodes, options: { ...options, alpha: 0.2 } },
        { nodes, options: { ...options, epsilon: 1e-2 } },
        { nodes, options: { ...options, k: 9 } },
        { nodes: Int32Array.of(2, 1), options },
      ].map((wanted) => rowsFolder(store, wanted));
      expect(new Set(folders).size).toBe(folders.length);
    }));

  test("killed at several moments and called again, ends with the bytes of an undisturbed run", () =>
    withStore(async (store) => {
      const wanted: RowsWanted = { nodes: someNodes(1100), options };
      const folder = rowsFolder(store, wanted);
      const script = `
        import { openStore } from ${JSON.stringify(sourceUrl("src/files/store/open-store.ts"))};
        import { keptRows } from ${JSON.stringify(sourceUrl("src/files/store/page-rank/stored-rows.ts"))};
        const nodes = Int32Array.from({ length: 1100 }, (_, t) => 3 * t);
        const wanted = { nodes, options: ${JSON.stringify(options)} };
        const store = openStore(${JSON.stringify(store.folder)});
        await keptRows(store, wanted, { threads: 1, journalMilliseconds: 0 });
        process.exit(0);`;
      const kills = [256, 512].map((row) => () => rowsDone(folder) >= row);
      for (const isTime of kills) expect(await killWhen(script, isTime)).toBe(true);
      expect(rowsDone(folder)).toBeGreaterThanOrEqual(512);
      const resumed = await keptRows(store, wanted, { threads: 2 });
      resumed.rows.close();
      const disturbed = filesOf(folder);
      await withStore(async (undisturbed) => {
        (await keptRows(undisturbed, wanted)).rows.close();
        expect(disturbed).toEqual(filesOf(rowsFolder(undisturbed, wanted)));
      });
      expect(Object.keys(disturbed).sort()).toEqual(
        ["columns.i32", "nodes.i32", "rowPointers.u64", "rows.json", "values.f32"].sort(),
      );
    }));

  test("refuses stored rows that were cut off or changed, in one line that names the way out", () =>
    withStore(async (store) => {
      const wanted: RowsWanted = { nodes: someNodes(40), options };
      (await keptRows(store, wanted)).rows.close();
      const folder = rowsFolder(store, wanted);
      const columns = join(folder, "columns.i32");
      const whole = readFileSync(columns);
      const changed = Uint8Array.from(whole, (byte, at) => (at === 9 ? byte ^ 1 : byte));
      writeFileSync(columns, changed);
      await expect(keptRows(store, wanted)).rejects.toThrow(
        /columns\.i32: was changed, bytes 0 to .*; remove its folder/,
      );
      truncateSync(columns, 100);
      await expect(keptRows(store, wanted)).rejects.toThrow(
        /columns\.i32: is cut off, it has 100 bytes .*; remove its/,
      );
      writeFileSync(join(folder, "rows.json"), "{");
      await expect(keptRows(store, wanted)).rejects.toThrow(/rows\.json: is cut off or not JSON; remove its folder/);
    }));

  test("says in one line that rows cannot be stored", () =>
    withStore(async (store) => {
      writeFileSync(join(store.folder, "pagerank"), ""); // where the folder should be
      await expect(keptRows(store, { nodes: someNodes(3), options })).rejects.toThrow(
        /rows of PageRank cannot be stored there \(E\w+\); copy the store to where you may write$/,
      );
    }));

  test("pushes rows once if two ask for them at the same time", () =>
    withStore(async (store) => {
      const wanted: RowsWanted = { nodes: someNodes(600), options };
      const lines: string[] = [];
      const warn = (line: string) => lines.push(line);
      const both = await Promise.all([keptRows(store, wanted, { warn }), keptRows(store, wanted, { warn })]);
      const lock = `${rowsFolder(store, wanted)}.lock`;
      expect(lines).toEqual([`waits for process ${process.pid}, which pushes the same rows (${lock})`]);
      const positions = Int32Array.from({ length: 600 }, (_, t) => t);
      const [first, second] = both.map(({ rows }) => rows.select(positions));
      expect(first).toEqual(pushRowsOf(store, store.numNodes, wanted.nodes, options));
      expect(second).toEqual(first);
      for (const { rows } of both) rows.close();
    }));

  test("keeps what is done when it is asked to stop", () =>
    withStore(async (store) => {
      const wanted: RowsWanted = { nodes: someNodes(600), options };
      const signal = { aborted: false };
      const progress = { update: () => (signal.aborted = true) };
      await expect(keptRows(store, wanted, { signal, progress })).rejects.toThrow("run the same command again");
      expect(rowsDone(rowsFolder(store, wanted))).toBeGreaterThanOrEqual(64);
      expect((await keptRows(store, wanted)).reused).toBe(false);
    }));
});

/** How far the journal of an unfinished folder is. */
function rowsDone(folder: string): number {
  const journal = join(folder, "journal.json");
  if (!existsSync(journal)) return 0;
  try {
    return JSON.parse(readFileSync(journal, "utf8")).position.row ?? 0;
  } catch {
    return 0;
  }
}

function filesOf(folder: string): Record<string, Buffer> {
  return Object.fromEntries(readdirSync(folder).map((file) => [file, readFileSync(join(folder, file))]));
}
