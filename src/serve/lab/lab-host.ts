import type { Transferable } from "node:worker_threads";
import { moduleBeside } from "../threads/module-beside.ts";
import { ThreadCalls } from "../threads/thread-calls.ts";
import type { CallProgress } from "../threads/thread-messages.ts";
import type { LabModuleOptions, LabRequest } from "./engine.ts";

/** How engines are made, and how many. */
export interface LabHostOptions {
  /** A module with the exports of `LabModule`. */
  readonly module: URL;
  readonly options: LabModuleOptions;
  /** Most engines at the same time. */
  readonly mostEngines: number;
  /** Most calls of one engine at the same time. */
  readonly mostCalls: number;
  /** An engine that is idle for this long is closed. */
  readonly idleMs: number;
  /** An engine that is idle for this long is closed if another tab needs its place. */
  readonly givesWayMs: number;
  /** How long a cancelled call may go on before its engine is closed. */
  readonly graceMs: number;
}

export const LAB_LIMITS = {
  mostEngines: 4,
  mostCalls: 16,
  idleMs: 900_000,
  givesWayMs: 60_000,
  graceMs: 10_000,
} as const;

/** Too many engines or calls are running; the caller may try again later. */
export class LabBusy extends Error {
  override name = "LabBusy";
}

interface Engine {
  readonly thread: ThreadCalls;
  lastUse: number;
  idle: NodeJS.Timeout | undefined;
}

/** Engines in threads of their own, one for each tab. */
export class LabHost {
  private readonly options: LabHostOptions;
  private readonly engines = new Map<string, Engine>();
  /** A thread started in advance, so that the first tab does not wait for one. */
  private spare: ThreadCalls | null;

  constructor(options: LabHostOptions) {
    this.options = options;
    const spare = startThread(options);
    this.spare = spare;
    spare.ended.then(() => {
      if (this.spare === spare) this.spare = null;
    });
  }

  get numEngines(): number {
    return this.engines.size;
  }

  /** Calls the engine of a tab; the result is JSON. */
  async call(
    tab: string,
    name: string,
    request: LabRequest,
    watch: {
      readonly progress: (progress: CallProgress) => void;
      readonly signal: AbortSignal;
      readonly transfer?: readonly Transferable[];
    },
  ): Promise<string> {
    const engine = this.engineOf(tab);
    const { mostCalls, graceMs, idleMs } = this.options;
    if (engine.thread.numRunning >= mostCalls)
      throw new LabBusy(`${mostCalls} calls are running; wait for one of them`);
    clearTimeout(engine.idle);
    let killer: NodeJS.Timeout | undefined;
    const onAbort = () => {
      killer = setTimeout(() => void this.closeOnly(tab, engine), graceMs).unref();
    };
    watch.signal.addEventListener("abort", onAbort);
    try {
      return (await engine.thread.call(name, [request], watch)) as string;
    } finally {
      watch.signal.removeEventListener("abort", onAbort);
      clearTimeout(killer);
      engine.lastUse = performance.now();
      clearTimeout(engine.idle);
      if (engine.thread.numRunning === 0)
        engine.idle = setTimeout(() => void this.closeOnly(tab, engine), idleMs).unref();
    }
  }

  /** Ends the engine of a tab; calls that are running fail. */
  async close(tab: string): Promise<void> {
    const engine = this.engines.get(tab);
    if (!engine) return;
    this.engines.delete(tab);
    clearTimeout(engine.idle);
    await engine.thread.close();
  }

  /** Closes this engine, unless the tab has a newer one by now. */
  private async closeOnly(tab: string, engine: Engine): Promise<void> {
    if (this.engines.get(tab) === engine) await this.close(tab);
  }

  async closeAll(): Promise<void> {
    await this.spare?.close();
    await Promise.all([...this.engines.keys()].map((tab) => this.close(tab)));
  }

  private engineOf(tab: string): Engine {
    const known = this.engines.get(tab);
    if (known) return known;
    this.makeRoom();
    const thread = this.spare ?? startThread(this.options);
    this.spare = null;
    const engine: Engine = { thread, lastUse: performance.now(), idle: undefined };
    this.engines.set(tab, engine);
    thread.ended.then(() => {
      if (this.engines.get(tab) === engine) this.engines.delete(tab); // it died: the tab gets a new one
    });
    return engine;
  }

  /** If all places are taken, closes the engine that is idle longest; throws if none is idle for `givesWayMs`. */
  private makeRoom(): void {
    const { mostEngines, givesWayMs } = this.options;
    if (this.engines.size < mostEngines) return;
    const idle = [...this.engines].filter(([, { thread }]) => thread.numRunning === 0);
    const [oldest] = idle.sort(([, a], [, b]) => a.lastUse - b.lastUse);
    if (!oldest || performance.now() - oldest[1].lastUse < givesWayMs) {
      throw new LabBusy(`${mostEngines} tabs are computing; close one of them`);
    }
    void this.close(oldest[0]);
  }
}

function startThread({ module, options }: LabHostOptions): ThreadCalls {
  return new ThreadCalls(moduleBeside(import.meta.url, "engine-thread"), { module: module.href, options });
}
