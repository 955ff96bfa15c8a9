import type { ChangeEvent, WorkerProgress } from "../../src/serve/protocol.ts";

/** An event as it came. */
export interface ServerEvent {
  readonly event: string;
  readonly id: string | undefined;
  readonly data: string;
}

/** Listens to the events of a server, as a browser would, without connecting again by itself. */
export class EventClient {
  readonly events: ServerEvent[] = [];
  /** Comments that keep the connection alive. */
  heartbeats = 0;
  lastId: string | undefined;
  private readonly stop = new AbortController();
  private wake: () => void = () => {};
  private text = "";

  /** Connects; `lastId` is what a browser would send when it comes back. */
  static async open(url: string, lastId?: string, headers: Record<string, string> = {}): Promise<EventClient> {
    const client = new EventClient();
    client.lastId = lastId;
    const response = await fetch(`${url}/api/events`, {
      headers: { ...headers, ...(lastId !== undefined && { "last-event-id": lastId }) },
      signal: client.stop.signal,
    });
    if (response.status !== 200) throw new Error(`events were refused: ${response.status} ${await response.text()}`);
    void client.read(response.body!.pipeThrough(new TextDecoderStream()));
    return client;
  }

  close(): void {
    this.stop.abort();
  }

  get changes(): ChangeEvent[] {
    return this.events.filter(({ event }) => event === "change").map(({ data }) => JSON.parse(data) as ChangeEvent);
  }

  get progress(): WorkerProgress[][] {
    return this.events.filter(({ event }) => event === "progress").map(({ data }) => JSON.parse(data));
  }

  /** Runs that were seen to be done, by id. */
  get done(): Set<string> {
    return new Set(
      this.changes.flatMap(({ runs }) => runs.filter(({ state }) => state === "done").map(({ id }) => id)),
    );
  }

  /** Waits until something holds of what came. */
  async until(holds: (client: EventClient) => boolean, milliseconds = 20_000): Promise<void> {
    const end = performance.now() + milliseconds;
    while (!holds(this)) {
      const left = end - performance.now();
      if (left <= 0)
        throw new Error(`waited in vain; ${this.events.length} events: ${JSON.stringify(this.events.slice(-3))}`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, Math.min(left, 200));
        this.wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  private async read(stream: ReadableStream<string>): Promise<void> {
    try {
      for await (const piece of stream) this.hear(piece);
    } catch {
      // the connection was ended, by the server or by us
    }
  }

  private hear(piece: string): void {
    this.text += piece;
    const blocks = this.text.split("\n\n");
    this.text = blocks.pop()!;
    for (const block of blocks) this.note(block);
    this.wake();
  }

  private note(block: string): void {
    const fields = new Map(block.split("\n").map((line) => [line.split(": ", 1)[0], line.replace(/^[^:]*: /, "")]));
    if (!fields.has("data")) {
      this.heartbeats++;
      return;
    }
    const id = fields.get("id");
    if (id !== undefined) this.lastId = id;
    this.events.push({ event: fields.get("event") ?? "message", id, data: fields.get("data")! });
  }
}
