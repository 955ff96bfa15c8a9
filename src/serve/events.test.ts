import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { cellOf, plannedRun } from "../../test/support/any-runs.ts";
import { type Dashboard, finishNext, runsOf, startDashboard } from "../../test/support/dashboard.ts";
import { EventClient } from "../../test/support/event-client.ts";
import { sharedFolder, temporaryFolder } from "../../test/support/temporary-folder.ts";

describe("events", () => {
  const folder = sharedFolder();
  let dashboard: Dashboard;
  beforeAll(async () => {
    dashboard = await startDashboard(folder, { heartbeatMs: 200, patienceMs: 1000 });
  });
  afterAll(() => dashboard.close());

  test("tell what other processes do to the store", async () => {
    const client = await EventClient.open(dashboard.url);
    await client.until(({ events }) => events.length > 0);
    expect(client.changes[0]).toEqual({ runs: [], studies: [], owners: [], isMore: false });
    await dashboard.store.addRuns("first", runsOf(3));
    await client.until(({ changes }) => changes.at(-1)!.studies[0]?.counts.waiting === 3);
    const [run] = (await dashboard.store.take({ owner: "other", leaseMs: 60_000 }))!;
    await client.until(({ changes }) => changes.at(-1)!.owners.length === 1);
    expect(client.changes.at(-1)!.runs).toMatchObject([{ id: run.id, state: "running" }]);
    await dashboard.store.fail(run.id, "other", "no", false);
    await client.until(({ changes }) => changes.at(-1)!.studies[0]?.counts.failed === 1);
    expect(client.changes.at(-1)).toMatchObject({ runs: [{ state: "failed", error: "no" }], owners: [] });
    client.close();
  });

  test("keep quiet connections alive", async () => {
    const client = await EventClient.open(dashboard.url);
    await client.until(({ heartbeats }) => heartbeats >= 2);
    client.close();
  });

  test("give a client that comes back what it missed, each once, and nothing else", async () => {
    const client = await EventClient.open(dashboard.url);
    await dashboard.store.addRuns(
      "missed",
      [20, 21, 22].map((seed) => plannedRun(cellOf(), seed)),
    );
    const seen = await takeAll();
    await client.until(({ done }) => done.size === seen.length);
    client.close();
    await dashboard.store.addRuns(
      "missed",
      [23, 24].map((seed) => plannedRun(cellOf(), seed)),
    );
    const missed = await takeAll();
    expect(missed).toHaveLength(2);
    const back = await EventClient.open(dashboard.url, client.lastId);
    await back.until(({ done }) => done.size >= missed.length);
    await setTimeout(200);
    expect([...back.done].sort()).toEqual(missed.sort());
    expect(back.events.some(({ event }) => event === "reset")).toBe(false);
    back.close();
  });

  async function takeAll(): Promise<string[]> {
    const ids: string[] = [];
    for (let id = await finishNext(dashboard.store); id !== null; id = await finishNext(dashboard.store)) ids.push(id);
    return ids;
  }

  test("say so when too much was missed, or the id is none of this store", async () => {
    const client = await EventClient.open(dashboard.url);
    await client.until(({ lastId }) => lastId !== undefined);
    client.close();
    const runs = Array.from({ length: 600 }, (_, seed) => plannedRun(cellOf({ model: "mlp" }), seed));
    await dashboard.store.addRuns("many", runs);
    await takeAll();
    for (const id of [client.lastId!, "00000000-3", "nonsense", client.lastId!.replace(/\d+$/, "999999999")]) {
      const back = await EventClient.open(dashboard.url, id);
      await back.until(({ events }) => events.length > 0);
      expect(back.events[0]).toMatchObject({ event: "reset", data: "null" });
      expect(back.events[0].id).toMatch(/^[0-9a-f]{8}-\d+$/);
      back.close();
    }
  }, 60_000);

  test("of a client that does not read cost no memory, and end its connection", { timeout: 60_000 }, async () => {
    const socket = connect(dashboard.server.port, "127.0.0.1");
    socket.write("GET /api/events HTTP/1.1\r\nHost: localhost\r\n\r\n");
    socket.pause();
    let isClosed = false;
    socket
      .on("error", () => {})
      .on("close", () => {
        isClosed = true;
      });
    await dashboard.store.addRuns(
      "bulk",
      Array.from({ length: 450 }, (_, seed) => plannedRun(cellOf({ model: "x" }), seed, { work: "bulk" })),
    );
    const before = process.memoryUsage().rss;
    for (let round = 0; round < 60 && !isClosed; round++) {
      await dashboard.store.take({ owner: "bulk", leaseMs: 60_000, study: "bulk" }); // an event of 250 KB
      await dashboard.store.release("bulk");
      await dashboard.store.tryAgain("bulk");
      await setTimeout(70);
    }
    expect(process.memoryUsage().rss - before).toBeLessThan(200e6);
    await setTimeout(1200); // longer than the patience of the server
    socket.resume();
    await expect.poll(() => isClosed, { timeout: 5000 }).toBe(true); // a connection that is alive would go on
    expect(dashboard.lines).toEqual([]);
  });
});

describe("the next server on the same store", () => {
  test("goes on where the last one was", async () => {
    const folder = temporaryFolder();
    const place = join(folder, "store.sqlite");
    const first = await startDashboard(folder, { place });
    await first.store.addRuns("study", runsOf(10));
    const client = await EventClient.open(first.url);
    for (let k = 0; k < 3; k++) await finishNext(first.store);
    await client.until(({ done }) => done.size === 3);
    await first.server.close();
    for (let k = 0; k < 3; k++) await finishNext(first.store);
    const second = await startDashboard(folder, { place });
    const back = await EventClient.open(second.url, client.lastId);
    await back.until(({ done }) => done.size === 3);
    for (let k = 0; k < 4; k++) await finishNext(first.store);
    await back.until(({ done }) => done.size === 7);
    expect(new Set([...client.done, ...back.done]).size).toBe(10);
    back.close();
    await second.close();
    await first.store.close();
  });
});

describe("two hundred clients", () => {
  test("all see every run, from one to the last, though they come and go", { timeout: 60_000 }, async () => {
    const dashboard = await startDashboard(temporaryFolder());
    const runs = runsOf(300);
    await dashboard.store.addRuns("study", runs);
    const clients = await Promise.all(Array.from({ length: 200 }, () => EventClient.open(dashboard.url)));
    await Promise.all(clients.map((client) => client.until(({ lastId }) => lastId !== undefined)));
    const again: [EventClient, EventClient][] = [];
    for (let k = 0; k < runs.length; k++) {
      await finishNext(dashboard.store);
      await setTimeout(8);
      if (k % 30 === 15) {
        const lost = clients[k % clients.length];
        lost.close();
        again.push([lost, await EventClient.open(dashboard.url, lost.lastId)]);
      }
    }
    const lost = new Set(again.map(([before]) => before));
    for (const client of clients.filter((each) => !lost.has(each))) {
      await client.until(({ done }) => done.size === runs.length);
    }
    for (const [before, after] of again) {
      await after.until(({ done }) => new Set([...before.done, ...done]).size === runs.length);
      expect(after.events.some(({ event }) => event === "reset")).toBe(false);
      after.close();
    }
    for (const client of clients) client.close();
    expect(dashboard.lines).toEqual([]);
    await dashboard.close();
  });
});
