import type { ServerResponse } from "node:http";

/** An event in the format of server-sent events. */
export interface EventText {
  readonly event: string;
  /** A single line, such as JSON. */
  readonly data: string;
  readonly id?: string;
  /** How long a browser waits before it connects again, in milliseconds. */
  readonly retry?: number;
}

export function eventText({ event, data, id, retry }: EventText): string {
  const lines = [`event: ${event}`, `data: ${data}`];
  if (id !== undefined) lines.push(`id: ${id}`);
  if (retry !== undefined) lines.push(`retry: ${retry}`);
  return `${lines.join("\n")}\n\n`;
}

/** Writes events to one client; `write` waits while the client is slower than its events. */
export class EventWriter {
  private readonly response: ServerResponse;
  private readonly patienceMs: number;

  /** A client that takes longer than `patienceMs` to receive one event is disconnected. */
  constructor(response: ServerResponse, patienceMs: number) {
    this.response = response;
    this.patienceMs = patienceMs;
  }

  get isClosed(): boolean {
    return this.response.destroyed || this.response.writableEnded;
  }

  onClose(listener: () => void): void {
    this.response.once("close", listener);
  }

  async write(text: string): Promise<void> {
    const { response } = this;
    if (this.isClosed || response.write(text)) return;
    const timer = setTimeout(() => response.destroy(), this.patienceMs);
    await new Promise<void>((resolve) => {
      const done = () => {
        response.off("drain", done);
        response.off("close", done);
        resolve();
      };
      response.on("drain", done);
      response.on("close", done);
    });
    clearTimeout(timer);
  }

  end(): void {
    this.response.end();
  }
}
