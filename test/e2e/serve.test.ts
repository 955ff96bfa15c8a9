import { type ChildProcess, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import { openRunStore } from "../../src/experiment/store/open-run-store.ts";
import type { StudySummary, Workers } from "../../src/serve/protocol.ts";
import { EventClient } from "../support/event-client.ts";
import { rgnn } from "../support/rgnn.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const main = join(import.meta.dirname, "..", "..", "src", "cli", "main.ts");
const STUDY = `name: live
datasets: synthetic-citation
models: [{ name: sgc, maxEpochs: 60 }, { name: gcn, hidden: [16], maxEpochs: 60 }]
attacks: [dice, { name: grbcd, blockSize: 5000, epochs: 10, polish: 0 }]
epsilons: [0.05, 0.1]
seeds: [0, 1, 2]
`;
const RUNS = 24;

/** `rgnn serve` as a process of its own. */
interface Served {
  readonly child: ChildProcess;
  readonly url: string;
  readonly ended: Promise<number | null>;
  output(): string;
}

const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill("SIGKILL");
});

async function serve(store: string, port = 0): Promise<Served> {
  const args = ["serve", "--store", store, "--port", String(port), "--no-open", "--workers", "2"];
  const child = spawn(process.execPath, [main, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  started.push(child);
  let text = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (piece: string) => {
      text += piece;
    });
  }
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  await expect.poll(() => text, { timeout: 20_000, interval: 20 }).toContain("Ctrl-C ends it");
  const url = /http:\/\/127\.0\.0\.1:\d+/.exec(text)![0];
  return { child, url, ended, output: () => text };
}

async function post(url: string, path: string, body = "{}", type = "application/json"): Promise<Response> {
  return fetch(url + path, { method: "POST", body, headers: { "content-type": type } });
}

async function summary(url: string): Promise<StudySummary> {
  const studies = (await (await fetch(`${url}/api/studies`)).json()) as StudySummary[];
  return studies.find(({ name }) => name === "live")!;
}

/** Waits until something holds of the study. */
async function until(url: string, holds: (study: StudySummary) => boolean): Promise<StudySummary> {
  for (let tries = 0; tries < 1200; tries++) {
    const study = await summary(url);
    if (holds(study)) return study;
    await setTimeout(50);
  }
  throw new Error(`waited in vain: ${JSON.stringify(await summary(url))}`);
}

async function valuesOf(place: string): Promise<[string, number | null][]> {
  const store = await openRunStore(place);
  const rows = await store.list({ study: "live" });
  await store.close();
  return rows.map(({ id, value }): [string, number | null] => [id, value]).sort();
}

describe("rgnn serve", { timeout: 180_000 }, () => {
  test("killed in the middle of a study and started again, goes on; a client comes back and misses nothing", async () => {
    const folder = temporaryFolder();
    const place = join(folder, "served", "store.sqlite");
    const first = await serve(place);
    expect((await post(first.url, "/api/studies", STUDY, "application/yaml")).status).toBe(201);
    let client = await EventClient.open(first.url);
    const done = new Set<string>();
    const note = () => {
      for (const id of client.done) done.add(id);
    };
    expect((await post(first.url, "/api/studies/live/start")).status).toBe(200);
    await client.until(({ progress }) => progress.some((workers) => workers.length > 0), 60_000); // runs are too short to wait for a share
    const port = Number(new URL(first.url).port);
    for (const target of [3, 8]) {
      await client.until((each) => new Set([...done, ...each.done]).size >= target, 60_000);
      started.at(-1)!.kill("SIGKILL");
      await new Promise((resolve) => started.at(-1)!.on("close", resolve));
      const next = await serve(place, port);
      const before = await summary(next.url);
      expect(before.wish).toBe("run");
      expect(before.counts.done).toBeGreaterThanOrEqual(target);
      expect(before.counts.done).toBeLessThan(RUNS); // it was in the middle
      note(); // only now: this client may have heard of more until the server was gone
      client = await EventClient.open(next.url, client.lastId);
    }
    await client.until((each) => new Set([...done, ...each.done]).size === RUNS, 120_000);
    const end = await until(first.url, ({ wish, isActive }) => wish === null && !isActive);
    expect(end).toMatchObject({ counts: { waiting: 0, running: 0, done: RUNS, failed: 0 }, error: null });
    client.close();
    const report = await (await fetch(`${first.url}/api/report?study=live`)).text();
    expect(report).toContain("<!doctype html>");
    expect(report).toContain("grbcd"); // the attacks of the study are in it

    const file = join(folder, "study.yaml");
    writeFileSync(file, STUDY);
    const undisturbed = join(folder, "undisturbed", "store.sqlite");
    expect((await rgnn(["run", file, "--store", undisturbed])).status).toBe(0);
    expect(await valuesOf(place)).toEqual(await valuesOf(undisturbed));
  });

  test("pauses, starts again and cancels a study; answers meanwhile, and ends in an orderly way on Ctrl-C", async () => {
    const folder = temporaryFolder();
    const place = join(folder, "store.sqlite");
    const { child, url, ended, output } = await serve(place);
    await post(
      url,
      "/api/studies",
      STUDY.replace("seeds: [0, 1, 2]", "seeds: [0, 1, 2, 3, 4, 5, 6, 7]"),
      "application/yaml",
    );
    await post(url, "/api/studies/live/start");
    await until(url, ({ counts }) => counts.done > 0);
    let slowest = 0;
    for (let k = 0; k < 20; k++) {
      const began = performance.now();
      expect((await fetch(`${url}/api/workers`)).status).toBe(200);
      slowest = Math.max(slowest, performance.now() - began);
      await setTimeout(20);
    }
    expect(slowest).toBeLessThan(1000);
    const workers = (await (await fetch(`${url}/api/workers`)).json()) as Workers;
    expect(workers.owners.length).toBeGreaterThan(0);

    expect(((await (await post(url, "/api/studies/live/pause")).json()) as StudySummary).wish).toBe("pause");
    const paused = await until(url, ({ isActive }) => !isActive);
    expect(paused.counts.running).toBe(0);
    expect(paused.counts.waiting).toBeGreaterThan(0);
    await setTimeout(500);
    expect((await summary(url)).counts).toEqual(paused.counts);

    await post(url, "/api/studies/live/start");
    await until(url, ({ counts }) => counts.done > paused.counts.done);
    await post(url, "/api/studies/live/cancel");
    const cancelled = await until(url, ({ isActive, counts }) => !isActive && counts.waiting === 0);
    expect(cancelled.counts).toMatchObject({ waiting: 0, running: 0 });
    expect(cancelled.counts.done).toBeGreaterThan(paused.counts.done);

    await post(url, "/api/studies/live/start"); // plans again what was dropped
    await until(url, ({ counts, isActive }) => isActive && counts.running > 0);
    child.kill("SIGINT");
    expect(await ended).toBe(0);
    expect(output()).toContain("SIGINT: stopping");
    const store = await openRunStore(place);
    expect((await store.studies(["live"]))[0]).toMatchObject({ wish: "run", counts: { running: 0 } });
    expect(await store.owners()).toEqual([]);
    await store.close();
  });

  test("tells why a study cannot run", async () => {
    const place = join(temporaryFolder(), "store.sqlite");
    const store = await openRunStore(place);
    await store.keepText("live", STUDY.replace("synthetic-citation", "cora_ml_that_is_nowhere.npz"));
    await store.wish("live", "run");
    await store.close();
    const { url } = await serve(place);
    const { error, wish } = await until(url, (study) => study.error !== null);
    expect([error, wish]).toEqual([expect.stringContaining("there is no such file"), "pause"]);
  });

  test("a port that is taken is one line and exit code 2; wrong options too", async () => {
    const place = join(temporaryFolder(), "store.sqlite");
    const { url } = await serve(place);
    const { port } = new URL(url);
    const second = await rgnn(["serve", "--store", place, "--port", port, "--no-open"]);
    expect([second.status, second.lines]).toEqual([2, [`rgnn: port ${port} is taken; choose another with --port`]]);
    expect((await rgnn(["serve", "--port", "70000"])).status).toBe(2);
    const nowhere = await rgnn(["serve", "--store", "postgres://me:secret@127.0.0.1:1/none", "--no-open"]);
    expect(nowhere.status).toBe(1);
    expect(nowhere.lines.join()).not.toContain("secret");
  });
});
