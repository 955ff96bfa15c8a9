import { setTimeout } from "node:timers/promises";
import type { AskedStore } from "../store/asked-store.ts";
import type { StoreAnswers } from "../store/store-answers.ts";

/** What is newer than some change. */
export type NewerChanges = Awaited<ReturnType<StoreAnswers["changes"]>>;

/**
 * Watches a store for changes by any process, by asking for a single number now and then. The store remembers what has changed, so
 * that nothing is kept here: whoever was away asks from where it was, even of the next server.
 */
export class ChangeFeed {
  /** The last change that was seen. */
  number = 0;
  private readonly store: AskedStore;
  private readonly listeners = new Set<() => void>();
  /** Answers for the last number, by where they begin: most clients are at the same place. */
  private answers = new Map<number, Promise<NewerChanges>>();
  /** How long the last answer took: counting a million runs takes a while, and should not be done all the time. */
  private costMs = 0;
  private isClosed = false;

  private constructor(store: AskedStore) {
    this.store = store;
  }

  /** Watches until it is closed; `failed` is told why the store could not be asked. */
  static async open(store: AskedStore, everyMs: number, failed: (error: unknown) => void): Promise<ChangeFeed> {
    const feed = new ChangeFeed(store);
    feed.number = await store.ask("lastChange");
    void feed.watch(everyMs, failed);
    return feed;
  }

  /** Calls `listener` after each change; returns how to end that. */
  listen(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** What is newer than a change. */
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

  /** Looks now instead of waiting for the next time. */
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

/** The share of its time that the store is asked for changes is less than one in this. */
const REST = 5;

/** Between two tries while a store cannot be reached. */
const LONGEST_WAIT_MS = 30_000;
