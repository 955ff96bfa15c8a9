import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { networkInterfaces } from "node:os";
import { createAdaptorServer } from "@hono/node-server";
import { UserError } from "../core/errors.ts";
import { isServer, openRunStore } from "../experiment/store/open-run-store.ts";
import type { StudyRecord } from "../experiment/store/store.ts";
import { dataFolders } from "../files/datasets/data-folders.ts";
import { makeApp } from "./app.ts";
import { ChangeFeed } from "./events/change-feed.ts";
import { EventStreams } from "./events/event-stream.ts";
import { fetchOf } from "./events/long-answers.ts";
import { isLoopback } from "./guard/allowed-hosts.ts";
import { newToken } from "./guard/token.ts";
import { LAB_LIMITS, LabHost, type LabHostOptions } from "./lab/lab-host.ts";
import { logLine } from "./log.ts";
import type { StudySummary } from "./protocol.ts";
import type { MakeReport } from "./server-parts.ts";
import { StaticFiles } from "./static-files.ts";
import { AskedStore } from "./store/asked-store.ts";
import { Supervisor } from "./studies/supervisor.ts";

/** What a server serves, and where. */
export interface ServeOptions {
  /** The store, as `openRunStore` takes it. */
  readonly place: string;
  /** The folder of trained models and flips. */
  readonly artefacts: string;
  /** Address to listen at. Default: 127.0.0.1, this machine only. If other machines can connect, a token is needed. */
  readonly host?: string;
  /** The first free one is used; 0 stands for any free port. */
  readonly ports: readonly number[];
  /** Folder of graphs, used instead of `$RGNN_DATA`; studies that are posted may name files in it. */
  readonly dataDir?: string;
  /** Processes of a study; chosen by the size of its graphs if left out. */
  readonly workers?: number;
  /** The folder of the built front end. */
  readonly web: string;
  /** The module of the interactive engine; if left out, the server has none. */
  readonly lab?: Pick<LabHostOptions, "module"> & Partial<LabHostOptions>;
  readonly report?: MakeReport;
  /** Largest upload, in bytes. */
  readonly uploadLimit?: number;
  /** The token to require, where one is needed. Default: a random one. */
  readonly token?: string;
  readonly log?: (line: string, error?: unknown) => void;
  /** Milliseconds between polls of the store, between heartbeats to quiet clients, until a slow one is disconnected. */
  readonly pollMs?: number;
  readonly heartbeatMs?: number;
  readonly patienceMs?: number;
}

/** A server that runs. */
export interface RunningServer {
  readonly host: string;
  readonly port: number;
  /** Address for the browser, with the token if one is needed. */
  readonly url: string;
  readonly token: string | null;
  /** Shuts the server down. Running studies stop, and the next server goes on with them. */
  close(): Promise<void>;
}

const UPLOAD_LIMIT = 256 * 2 ** 20;
/** SQLite answers at once; a database server is asked less often. */
const POLL_MS = { file: 250, server: 1000 };
const HEARTBEAT_MS = 15_000;
const PATIENCE_MS = 30_000;
const MOST_CONNECTIONS = 4096;

/** Starts the dashboard's server: pages, API, events, and the studies that the store says should run. */
export async function startServer(options: ServeOptions): Promise<RunningServer> {
  const { place, dataDir, host = "127.0.0.1", log = logLine, uploadLimit = UPLOAD_LIMIT, report } = options;
  const folders = dataFolders(dataDir);
  const storeName = await checkStore(place);
  const token = isLoopback(host) ? null : newToken(options.token);
  const queries = new AskedStore(place);
  const notes = new AskedStore(place);
  const { pollMs = isServer(place) ? POLL_MS.server : POLL_MS.file } = options;
  const feed = await ChangeFeed.open(notes, pollMs, (error) => log("the store cannot be read", error));
  const supervisor = new Supervisor(notes, options, log);
  const summarise = (record: StudyRecord) => summaryOf(record, supervisor);
  const { progress } = supervisor;
  const { heartbeatMs = HEARTBEAT_MS, patienceMs = PATIENCE_MS } = options;
  const events = new EventStreams({ feed, store: storeName, summarise, progress, heartbeatMs, patienceMs });
  const lab = options.lab
    ? new LabHost({ ...LAB_LIMITS, options: { ...(dataDir !== undefined && { dataDir }) }, ...options.lab })
    : null;
  const app = makeApp(
    {
      ...{ storeName, queries, notes, feed, events, supervisor, lab, uploadLimit, summarise, log },
      files: new StaticFiles(options.web),
      report: report ? (study) => report(place, study) : null,
      folders,
    },
    { host, token },
  );
  const server = createAdaptorServer({ fetch: fetchOf(app) }) as Server;
  server.maxConnections = MOST_CONNECTIONS;
  const closeAll = async () => {
    events.close();
    feed.close();
    await supervisor.close();
    await lab?.closeAll();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await Promise.all([queries.close(), notes.close()]);
  };
  try {
    const port = await listen(server, host, options.ports);
    feed.listen(() => void supervisor.follow());
    void supervisor.follow();
    return { host, port, url: urlOf(host, port, token), token, close: closeAll };
  } catch (error) {
    await closeAll();
    throw error;
  }
}

/** Opens the store once, so that a wrong address fails at once; returns its name. */
async function checkStore(place: string): Promise<string> {
  const store = await openRunStore(place);
  await store.close();
  return store.name;
}

function summaryOf({ text, wishedAt: _, ...record }: StudyRecord, supervisor: Supervisor): StudySummary {
  return { ...record, hasText: text !== null, isActive: supervisor.isActive(record.name) };
}

/** Listens at the first port that is free; returns it. */
async function listen(server: Server, host: string, ports: readonly number[]): Promise<number> {
  for (const [k, port] of ports.entries()) {
    try {
      await new Promise<void>((resolve, reject) => {
        server.once("error", reject);
        server.listen(port, host, () => {
          server.removeListener("error", reject);
          resolve();
        });
      });
      return (server.address() as AddressInfo).port;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      const isLast = k === ports.length - 1;
      if (code === "EADDRINUSE" && !isLast) continue;
      throw new UserError(complaint(code, host, port));
    }
  }
  throw new UserError("no port to listen at");
}

function complaint(code: string | undefined, host: string, port: number): string {
  if (code === "EADDRINUSE") return `port ${port} is taken; choose another with --port`;
  if (code === "EACCES") return `port ${port} is not ours to take; choose one above 1023 with --port`;
  return `cannot listen at ${host}:${port} (${code}); --host names an address of this machine`;
}

function urlOf(host: string, port: number, token: string | null): string {
  const isAll = host === "0.0.0.0" || host === "::";
  const name = isAll ? outerAddress() : host;
  const shown = name.includes(":") ? `[${name}]` : name;
  return `http://${shown}:${port}/${token === null ? "" : `?token=${token}`}`;
}

/** An address by which other machines may reach this one. */
function outerAddress(): string {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return all.find(({ family, internal }) => family === "IPv4" && !internal)?.address ?? "127.0.0.1";
}
