import { join } from "node:path";
import { openRunStore } from "../../src/experiment/store/open-run-store.ts";
import type { PlannedRun, RunStore } from "../../src/experiment/store/store.ts";
import { type RunningServer, type ServeOptions, startServer } from "../../src/serve/start-server.ts";
import { cellOf, instantOutcome, plannedRun } from "./any-runs.ts";

/** A server in this process, and what a test needs beside it. */
export interface Dashboard {
  readonly server: RunningServer;
  /** Such as http://127.0.0.1:1234 */
  readonly url: string;
  /** Another connection to its store, as another process would have. */
  readonly store: RunStore;
  /** What was logged. */
  readonly lines: string[];
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  post(path: string, body: string, headers?: Record<string, string>): Promise<Response>;
  close(): Promise<void>;
}

/** Starts a server on an empty store in a folder, at a port that is free. */
export async function startDashboard(folder: string, options: Partial<ServeOptions> = {}): Promise<Dashboard> {
  const place = options.place ?? join(folder, "store.sqlite");
  const lines: string[] = [];
  const server = await startServer({
    place,
    artefacts: join(folder, "artefacts"),
    ports: [0],
    web: join(folder, "web"),
    pollMs: 50,
    log: (line, error) => lines.push(error === undefined ? line : `${line}: ${(error as Error).stack}`),
    ...options,
  });
  const url = `http://127.0.0.1:${server.port}`;
  const store = await openRunStore(place);
  return {
    server,
    url,
    store,
    lines,
    get: (path, headers = {}) => fetch(url + path, { headers, redirect: "manual" }),
    post: (path, body, headers = {}) =>
      fetch(url + path, {
        method: "POST",
        body,
        headers: { "content-type": "application/json", ...headers },
        redirect: "manual",
      }),
    async close() {
      await server.close();
      await store.close();
    },
  };
}

/** Runs of a study: ten seeds of each budget. */
export function runsOf(count: number): PlannedRun[] {
  return Array.from({ length: count }, (_, k) =>
    plannedRun(cellOf({ epsilon: (1 + Math.floor(k / 10)) / 100 }), k % 10),
  );
}

/** Takes the next run and finishes it; its id. */
export async function finishNext(store: RunStore, owner = "me"): Promise<string | null> {
  const taken = await store.take({ owner, leaseMs: 60_000 });
  if (!taken) return null;
  for (const { id, description } of taken) await store.finish(id, owner, instantOutcome(description));
  return taken[0].id;
}
