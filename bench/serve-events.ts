// Many clients on the event stream of rgnn serve while a study runs: does every one of them see every run, and does memory stay flat?
//
//     node bench/serve-events.ts [clients] [seconds]
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { RunPage, StudySummary } from "../src/serve/protocol.ts";
import { EventClient } from "../test/support/event-client.ts";

const numClients = Number(process.argv[2] ?? 200);
const seconds = Number(process.argv[3] ?? 60);
const seeds = Array.from({ length: 2000 }, (_, seed) => seed);
const STUDY = `name: load
datasets: synthetic-citation
models: [{ name: sgc, maxEpochs: 5 }]
attacks: [dice]
epsilons: [0.01, 0.02, 0.05]
seeds: [${seeds.join()}]
`;

const folder = mkdtempSync(join(tmpdir(), "rgnn-serve-"));
const main = join(import.meta.dirname, "..", "src", "cli", "main.ts");
const args = ["serve", "--store", join(folder, "store.sqlite"), "--port", "0", "--no-open", "--workers", "1"];
const server = spawn(process.execPath, [main, ...args], { stdio: ["ignore", "pipe", "inherit"] });
try {
  const url = await new Promise<string>((resolve) => {
    let text = "";
    server.stdout.setEncoding("utf8").on("data", (piece: string) => {
      text += piece;
      const found = /http:\/\/127\.0\.0\.1:\d+/.exec(text);
      if (found) resolve(found[0]);
    });
  });
  await post(url, "/api/studies", STUDY, "application/yaml");
  const clients = await Promise.all(Array.from({ length: numClients }, () => EventClient.open(url)));
  await Promise.all(clients.map((client) => client.until(({ lastId }) => lastId !== undefined)));
  await post(url, "/api/studies/load/start");
  await clients[0].until(({ done }) => done.size > 0, 60_000);

  const began = performance.now();
  let slowest = 0;
  for (let next = 0; next <= seconds; next += seconds / 6) {
    await setTimeout(Math.max(0, began + 1000 * next - performance.now()));
    const asked = performance.now();
    const [{ counts }] = (await (await fetch(`${url}/api/studies`)).json()) as StudySummary[];
    slowest = Math.max(slowest, performance.now() - asked);
    console.log(
      `${next.toFixed(0).padStart(4)} s: ${counts.done} runs done, server ${residentMegabytes(server.pid!)} MB`,
    );
  }
  await post(url, "/api/studies/load/pause");
  for (let isActive = true; isActive; await setTimeout(100)) {
    [{ isActive }] = (await (await fetch(`${url}/api/studies`)).json()) as StudySummary[];
  }
  const done = await doneRuns(url);
  await setTimeout(2000);
  const missing = clients.map((client) => {
    const seen = client.done;
    return [...done].filter((id) => !seen.has(id)).length;
  });
  const events = clients.reduce((sum, client) => sum + client.events.length, 0);
  const resets = clients.filter((client) => client.events.some(({ event }) => event === "reset")).length;
  console.log(
    `${numClients} clients, ${seconds} s: ${done.size} runs, ${events} events, slowest answer ${slowest.toFixed(0)} ms`,
  );
  console.log(`clients that missed a run: ${missing.filter((count) => count > 0).length}; resets: ${resets}`);
  for (const client of clients) client.close();
  process.exitCode = missing.some((count) => count > 0) ? 1 : 0;
} finally {
  server.kill("SIGINT");
  await new Promise((resolve) => server.on("close", resolve));
  rmSync(folder, { recursive: true, force: true });
}

async function post(url: string, path: string, body = "{}", type = "application/json"): Promise<void> {
  const response = await fetch(url + path, { method: "POST", body, headers: { "content-type": type } });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
}

async function doneRuns(url: string): Promise<Set<string>> {
  const ids = new Set<string>();
  for (let after: string | null = "0"; after !== null; ) {
    const page = (await (await fetch(`${url}/api/runs?state=done&limit=1000&after=${after}`)).json()) as RunPage;
    for (const { id } of page.runs) ids.add(id);
    after = page.next;
  }
  return ids;
}

/** Of another process, as Linux tells it. */
function residentMegabytes(pid: number): string {
  try {
    const kilobytes = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return (Number(kilobytes) / 1024).toFixed(0);
  } catch {
    return "?";
  }
}
