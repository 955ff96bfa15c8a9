import type { WorkerProgress } from "../protocol.ts";
import type { StudyMessage } from "./study-messages.ts";

/** Milliseconds between two updates: more would not be noticed. */
const TELL_MS = 250;

/** What each worker of this server is doing. */
export class ProgressBoard {
  /** Grows with each change that listeners are told of. */
  version = 0;
  private readonly workers = new Map<number, WorkerProgress>();
  private readonly listeners = new Set<() => void>();
  private timer: NodeJS.Timeout | null = null;

  list(): readonly WorkerProgress[] {
    return [...this.workers.values()].sort((a, b) => a.worker - b.worker);
  }

  listen(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Records a message of a worker. */
  note(study: string, { worker, event, label }: Extract<StudyMessage, { kind: "work" }>): void {
    const before = this.workers.get(worker);
    if (event.kind === "began") this.workers.set(worker, { study, worker, run: event.run, label, share: 0, note: "" });
    else if (event.kind !== "progress") this.workers.delete(worker);
    else if (before) this.workers.set(worker, { ...before, share: event.share, note: event.note });
    this.tellSoon();
  }

  /** Removes all workers. */
  clear(): void {
    this.workers.clear();
    this.tellSoon();
  }

  private tellSoon(): void {
    this.timer ??= setTimeout(() => {
      this.timer = null;
      this.version++;
      for (const listener of this.listeners) listener();
    }, TELL_MS).unref();
  }
}
