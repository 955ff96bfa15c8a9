import type { SSEMessage, SSEStreamingApi } from "hono/streaming";
import type { StudyRecord } from "../../experiment/store/store.ts";
import type { ChangeEvent, StudySummary, WorkerProgress } from "../protocol.ts";
import { Alarm } from "./alarm.ts";
import type { ChangeFeed, NewerChanges } from "./change-feed.ts";
import { EventIds } from "./event-id.ts";

/** What an event stream tells of. */
export interface EventSources {
  readonly feed: ChangeFeed;
  readonly store: string;
  readonly summarise: (record: StudyRecord) => StudySummary;
  readonly progress: {
    /** Grows with each change. */
    readonly version: number;
    list(): readonly WorkerProgress[];
    listen(listener: () => void): () => void;
  };
  readonly heartbeatMs: number;
  /** A client that takes longer for one event is gone, or as good as gone. */
  readonly patienceMs: number;
}

/**
 * Sends events to any number of clients. Each has a place in the changes of the store and asks from there, one event at a time and only
 * when it has taken the one before: a slow client gets fewer, larger events, and nothing piles up for it.
 */
export class EventStreams {
  private readonly sources: EventSources;
  private readonly ids: EventIds;
  private readonly clients = new Set<Alarm>();
  /** One text for all clients that are sent the same changes. */
  private readonly texts = new WeakMap<NewerChanges, string>();
  private isClosed = false;

  constructor(sources: EventSources) {
    this.sources = sources;
    this.ids = new EventIds(sources.store);
    sources.feed.listen(() => this.wakeAll());
    sources.progress.listen(() => this.wakeAll());
  }

  get numClients(): number {
    return this.clients.size;
  }

  /** Sends events until the client goes away. `lastId` is the id of the last one that it has seen; `drop` ends its connection. */
  async send(stream: SSEStreamingApi, lastId: string | undefined, drop: () => void): Promise<void> {
    const { heartbeatMs } = this.sources;
    const alarm = new Alarm();
    this.clients.add(alarm);
    stream.onAbort(() => alarm.wake());
    const write = (message: SSEMessage) => this.writeInTime(() => stream.writeSSE(message), drop);
    try {
      let number = await this.begin(write, lastId);
      let version = -1;
      while (!stream.aborted && !this.isClosed) {
        if (this.sources.feed.number > number) number = await this.sendChanges(write, number);
        const { progress } = this.sources;
        if (progress.version !== version) {
          version = progress.version;
          await write({ event: "progress", data: JSON.stringify(progress.list()) });
        }
        const before = performance.now();
        await alarm.sleep(heartbeatMs);
        const isQuiet = performance.now() - before >= heartbeatMs;
        if (isQuiet && !stream.aborted) await this.writeInTime(() => stream.write(": still here\n\n"), drop);
      }
    } finally {
      this.clients.delete(alarm);
    }
  }

  /** Ends all streams; clients come back to the next server. */
  close(): void {
    this.isClosed = true;
    this.wakeAll();
  }

  /** Tells a client where it is; returns the number of the change from which it goes on. */
  private async begin(write: Write, lastId: string | undefined): Promise<number> {
    const { feed } = this.sources;
    await feed.look(); // a client that comes back may have seen more than this server
    if (lastId === undefined || lastId === "") {
      const { number } = feed;
      const { owners } = await feed.since(number);
      const nothing: ChangeEvent = { runs: [], studies: [], owners, isMore: false };
      await write({ event: "change", id: this.ids.of(number), data: JSON.stringify(nothing), retry: RETRY_MS });
      return number;
    }
    const number = this.ids.numberOf(lastId, feed.number);
    if (number !== null && !(await feed.since(number)).isMore) return number;
    const current = feed.number;
    await write({ event: "reset", id: this.ids.of(current), data: "null", retry: RETRY_MS });
    return current;
  }

  private async sendChanges(write: Write, since: number): Promise<number> {
    const changes = await this.sources.feed.since(since);
    await write({ event: "change", id: this.ids.of(changes.number), data: this.textOf(changes) });
    return changes.number;
  }

  private textOf(changes: NewerChanges): string {
    const known = this.texts.get(changes);
    if (known !== undefined) return known;
    const { runs, studies, owners, isMore } = changes;
    const event: ChangeEvent = { runs, studies: studies.map(this.sources.summarise), owners, isMore };
    const text = JSON.stringify(event);
    this.texts.set(changes, text);
    return text;
  }

  private async writeInTime(write: () => Promise<unknown>, drop: () => void): Promise<void> {
    const timer = setTimeout(drop, this.sources.patienceMs);
    try {
      await write();
    } finally {
      clearTimeout(timer);
    }
  }

  private wakeAll(): void {
    for (const alarm of this.clients) alarm.wake();
  }
}

type Write = (message: SSEMessage) => Promise<void>;

/** How long a browser waits before it connects again. */
const RETRY_MS = 1000;
