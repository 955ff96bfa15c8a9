import { createHash } from "node:crypto";

/** Ids of events: a hash of the store's name, and the number of the change. */
export class EventIds {
  private readonly prefix: string;

  constructor(store: string) {
    this.prefix = createHash("sha256").update(store).digest("hex").slice(0, 8);
  }

  of(number: number): string {
    return `${this.prefix}-${number}`;
  }

  /** The change number in an event id; null if the id is malformed, of another store, or newer than `last`. */
  numberOf(id: string, last: number): number | null {
    const match = /^([0-9a-f]{8})-(\d{1,15})$/.exec(id);
    if (match?.[1] !== this.prefix) return null;
    const number = Number(match[2]);
    return number <= last ? number : null;
  }
}
