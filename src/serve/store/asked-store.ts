import { moduleBeside } from "../threads/module-beside.ts";
import { ThreadCalls } from "../threads/thread-calls.ts";
import type { StoreAnswers } from "./store-answers.ts";

type Name = keyof StoreAnswers;

/** A store used through a thread of its own. If the thread dies, the next call starts another. */
export class AskedStore {
  private readonly place: string;
  private thread: ThreadCalls | null = null;
  private isClosed = false;

  /** `place` as `openRunStore` takes it. */
  constructor(place: string) {
    this.place = place;
  }

  ask<N extends Name>(name: N, ...args: Parameters<StoreAnswers[N]>): ReturnType<StoreAnswers[N]> {
    if (this.isClosed) return Promise.reject(new Error("the store is closed")) as ReturnType<StoreAnswers[N]>;
    this.thread ??= this.start();
    return this.thread.call(name, args) as ReturnType<StoreAnswers[N]>;
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await this.thread?.close();
  }

  private start(): ThreadCalls {
    const thread = new ThreadCalls(moduleBeside(import.meta.url, "store-thread"), this.place);
    thread.ended.then(() => {
      this.thread = null;
    });
    return thread;
  }
}
