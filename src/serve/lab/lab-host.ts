import type { Transferable } from "node:worker_threads";
import { moduleBeside } from "../threads/module-beside.ts";
import { ThreadCalls } from "../threads/thread-calls.ts";
import type { CallProgress } from "../threads/thread-messages.ts";
import type { LabModuleOptions, LabRequest } from "./engine.ts";

/** How engines are made, and how many. */
export interface LabHostOptions {
  /** Exports what `LabModule` says. */
  readonly module: URL;
  readonly options: LabModuleOptions;
  /** Engines at the same time. */
  readonly mostEngines: number;
  /** Calls of one engine at the same time. */
  readonly mostCalls: number;
  /** An engine that is not used for so long is closed. */
  readonly idleMs: number;
  /** One that is not used for so long makes room for another tab. */
  readonly givesWayMs: number;
  /** How long a call may go on after it was cancelled; then its engine is closed. */
  readonly graceMs: number;
}

export const LAB_LIMITS = {
  mostEngines: 4,
  mostCalls: 16,
  idleMs: 900_000,
  givesWayMs: 60_000,
  graceMs: 10_000,
} as const;

/** There is no room for what was asked; it may be asked again later. */
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
  /** Started ahead for the first tab, which need not wait for it. */
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

  /** The same for this engine, unless the tab has another by now. */
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

  /** Closes the engine that was not used for longest, if it is not needed any more. */
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
