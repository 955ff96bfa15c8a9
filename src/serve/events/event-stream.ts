import type { ServerResponse } from "node:http";
import type { StudyRecord } from "../../experiment/store/store.ts";
import type { ChangeEvent, StudySummary, WorkerProgress } from "../protocol.ts";
import { Alarm } from "./alarm.ts";
import type { ChangeFeed, NewerChanges } from "./change-feed.ts";
import { EventIds } from "./event-id.ts";
import { EventWriter, eventText } from "./event-writer.ts";

/** Where event streams get their data, and their timing. */
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
  /** A client that takes longer to receive one event is disconnected. */
  readonly patienceMs: number;
}

/** Where a stream begins. */
export interface StreamStart {
  /** The stream goes on after this change. */
  readonly number: number;
  /** What the client is told first, if anything. */
  readonly text: string | null;
}

/**
 * Sends events to any number of clients. Each client has its own position in the changes of the store. Its next event
 * is built from there once the previous one is sent, so a slow client gets fewer, larger events, and nothing queues up
 * for it.
 */
export class EventStreams {
  private readonly sources: EventSources;
  private readonly ids: EventIds;
  private readonly clients = new Set<Alarm>();
  /** Texts of events, shared by all clients that receive the same changes. */
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

  /** Where a client begins; `lastId` is the id of the last event that it has seen. */
  async startOf(lastId: string | undefined): Promise<StreamStart> {
    const { feed } = this.sources;
    await feed.look(); // a client that reconnects may have seen changes that this server has not polled yet
    if (lastId === undefined || lastId === "") {
      const { number } = feed;
      const { owners } = await feed.since(number);
      const nothing: ChangeEvent = { runs: [], studies: [], owners, isMore: false };
      const data = JSON.stringify(nothing);
      return { number, text: eventText({ event: "change", id: this.ids.of(number), data, retry: RETRY_MS }) };
    }
    const number = this.ids.numberOf(lastId, feed.number);
    if (number !== null && !(await feed.since(number)).isMore) return { number, text: null };
    const current = feed.number;
    return {
      number: current,
      text: eventText({ event: "reset", id: this.ids.of(current), data: "null", retry: RETRY_MS }),
    };
  }

  /** Sends events until the client goes away. */
  async send(response: ServerResponse, { number: first, text }: StreamStart): Promise<void> {
    const { heartbeatMs, patienceMs, progress, feed } = this.sources;
    const alarm = new Alarm();
    const writer = new EventWriter(response, patienceMs);
    writer.onClose(() => alarm.wake());
    this.clients.add(alarm);
    try {
      if (text !== null) await writer.write(text);
      let number = first;
      let version = -1;
      while (!writer.isClosed && !this.isClosed) {
        if (feed.number > number) number = await this.sendChanges(writer, number);
        if (progress.version !== version) {
          version = progress.version;
          await writer.write(eventText({ event: "progress", data: JSON.stringify(progress.list()) }));
        }
        const before = performance.now();
        await alarm.sleep(heartbeatMs);
        const isQuiet = performance.now() - before >= heartbeatMs;
        if (isQuiet) await writer.write(": still here\n\n");
      }
      writer.end();
    } finally {
      this.clients.delete(alarm);
    }
  }

  /** Ends all streams; clients reconnect to the next server by themselves. */
  close(): void {
    this.isClosed = true;
    this.wakeAll();
  }

  private async sendChanges(writer: EventWriter, since: number): Promise<number> {
    const changes = await this.sources.feed.since(since);
    await writer.write(this.textOf(changes));
    return changes.number;
  }

  private textOf(changes: NewerChanges): string {
    const known = this.texts.get(changes);
    if (known !== undefined) return known;
    const { number, runs, studies, owners, isMore } = changes;
    const event: ChangeEvent = { runs, studies: studies.map(this.sources.summarise), owners, isMore };
    const text = eventText({ event: "change", id: this.ids.of(number), data: JSON.stringify(event) });
    this.texts.set(changes, text);
    return text;
  }

  private wakeAll(): void {
    for (const alarm of this.clients) alarm.wake();
  }
}

/** How long a browser waits before it connects again. */
const RETRY_MS = 1000;
