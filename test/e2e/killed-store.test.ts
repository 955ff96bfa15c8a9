import { spawn } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Rng } from "../../src/core/rng.ts";
import { formatNpz } from "../../src/data/formats/npz.ts";
import { filesOf } from "../support/read-store.ts";
import type { Death, StoreJob } from "../support/store-child.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const child = join(import.meta.dirname, "..", "support", "store-child.ts");
const memory = 2 ** 20;
const rng = new Rng(Date.now() % 1000);

/** Runs a job; true if it came to its end, false if it was killed before. */
function run(job: StoreJob, death: Death | null): Promise<boolean> {
  const started = spawn(process.execPath, [child, JSON.stringify(job), JSON.stringify(death)], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let errors = "";
  started.stderr.setEncoding("utf8").on("data", (text: string) => {
    errors += text;
  });
  return new Promise((resolve, reject) => {
    started.on("close", (status, signal) => {
      if (signal === "SIGKILL") resolve(false);
      else if (status === 0) resolve(true);
      else reject(new Error(errors));
    });
  });
}

/** Kills a job again and again and expects the bytes of one that was left alone. */
async function expectSameBytes(job: StoreJob): Promise<void> {
  const whole = `${job.to}.whole.store`;
  expect(await run({ ...job, to: whole }, null)).toBe(true);
  let kills = 0;
  while (!(await run(job, { steps: 3 + rng.integer(3), milliseconds: rng.integer(4) }))) kills++;
  expect(kills).toBeGreaterThanOrEqual(2);
  expect(filesOf(job.to)).toEqual(filesOf(whole));
}

describe("a store whose process is killed at random moments", () => {
  test("is the same when it is made", async () => {
    const to = join(temporaryFolder(), "a.store");
    await expectSameBytes({ to, memory, shape: "papers100M", scale: 1.2e-3 });
  });
  test("is the same when it is made and symmetrised", async () => {
    const to = join(temporaryFolder(), "a.store");
    await expectSameBytes({ to, memory, shape: "arxiv", scale: 0.25 });
  });
  test("is the same when another store is symmetrised", async () => {
    const folder = temporaryFolder();
    const from = join(folder, "from.store");
    await run({ to: from, memory, shape: "papers100M", scale: 1e-3 }, null);
    await expectSameBytes({ to: join(folder, "a.store"), memory, from });
    rmSync(from, { recursive: true }); // what was shared is still there
    expect(Object.keys(filesOf(join(folder, "a.store")))).toContain("features.f16");
  });
  test("is the same when it is converted from the binary layout of OGB", async () => {
    const folder = temporaryFolder();
    const from = join(folder, "graph");
    writeOgb(from, 50_000, 16, 500_000);
    await expectSameBytes({ to: join(folder, "a.store"), memory, from });
  });
});

function writeOgb(folder: string, numNodes: number, numFeatures: number, numEdges: number): void {
  const draw = new Rng(1);
  const nodes = BigInt64Array.from({ length: 2 * numEdges }, () => BigInt(draw.integer(numNodes)));
  const features = Float32Array.from({ length: numNodes * numFeatures }, () => draw.uniform());
  const labels = Int32Array.from({ length: numNodes }, () => draw.integer(5));
  mkdirSync(join(folder, "raw"), { recursive: true });
  const data = formatNpz({
    edge_index: { data: nodes, shape: [2, numEdges] },
    node_feat: { data: features, shape: [numNodes, numFeatures] },
  });
  writeFileSync(join(folder, "raw", "data.npz"), data);
  writeFileSync(
    join(folder, "raw", "node-label.npz"),
    formatNpz({ node_label: { data: labels, shape: [numNodes, 1] } }),
  );
}
