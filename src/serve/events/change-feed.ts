import { setTimeout } from "node:timers/promises";
import type { AskedStore } from "../store/asked-store.ts";
import type { StoreAnswers } from "../store/store-answers.ts";

/** The changes after a given change number. */
export type NewerChanges = Awaited<ReturnType<StoreAnswers["changes"]>>;

/**
 * Notices changes that any process makes in a store, by polling the number of the last change. The store remembers what
 * changed, so no history is kept here: a client that was away asks from its last number on, even after the server was
 * restarted.
 */
export class ChangeFeed {
  /** Number of the newest change seen so far. */
  number = 0;
  private readonly store: AskedStore;
  private readonly listeners = new Set<() => void>();
  /** Results of {@link since} by its argument, until the next change: most clients ask with the same number. */
  private answers = new Map<number, Promise<NewerChanges>>();
  /** How long the last query for changes took. Counting a million runs is slow; polling gets rarer then (`REST`). */
  private costMs = 0;
  private isClosed = false;

  private constructor(store: AskedStore) {
    this.store = store;
  }

  /** Polls every `everyMs` until `close`; `failed` receives the error when the store cannot be asked. */
  static async open(store: AskedStore, everyMs: number, failed: (error: unknown) => void): Promise<ChangeFeed> {
    const feed = new ChangeFeed(store);
    feed.number = await store.ask("lastChange");
    void feed.watch(everyMs, failed);
    return feed;
  }

  /** Calls `listener` after each change; returns a function that removes it. */
  listen(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Everything that changed after change `number`. */
  since(number: number): Promise<NewerChanges> {
    const known = this.answers.get(number);
    if (known) return known;
    const began = performance.now();
    const answer = this.store.ask("changes", number).finally(() => {
      this.costMs = performance.now() - began;
    });
    this.answers.set(number, answer);
    answer.catch(() => this.answers.delete(number));
    return answer;
  }

  /** Polls now, without waiting for the next time. */
  async look(): Promise<void> {
    const number = await this.store.ask("lastChange");
    if (number === this.number) return;
    this.number = number;
    this.answers = new Map();
    for (const listener of this.listeners) listener();
  }

  close(): void {
    this.isClosed = true;
  }

  private async watch(everyMs: number, failed: (error: unknown) => void): Promise<void> {
    let wait = everyMs;
    while (!this.isClosed) {
      await setTimeout(wait, undefined, { ref: false });
      try {
        if (!this.isClosed) await this.look();
        wait = Math.max(everyMs, REST * this.costMs);
      } catch (error) {
        if (!this.isClosed) failed(error);
        wait = Math.min(2 * wait, LONGEST_WAIT_MS);
      }
    }
  }
}

/** Pause between polls, in durations of the last query for changes: less than 1/5 of the time goes into them. */
const REST = 5;

/** Longest pause between two tries while the store cannot be reached. */
const LONGEST_WAIT_MS = 30_000;
