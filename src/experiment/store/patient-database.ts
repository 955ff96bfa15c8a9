import { setTimeout } from "node:timers/promises";
import { DeviceError } from "../../core/errors.ts";
import type { Database, Row, Sql, SqlValue } from "./database.ts";

/** Thrown if a server does not answer: it or the network is gone, perhaps for a while. */
export class ServerGone extends DeviceError {
  override name = "ServerGone";
}

/** How long a server may be away. */
export interface Patience {
  readonly milliseconds: number;
  /** Receives a line when the waiting begins and when it ends. */
  readonly tell?: (line: string) => void;
}

const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 10_000;

/**
 * A database that repeats requests while its server is gone. A request may have been carried out although the answer
 * was lost, so every request of a store must be safe to repeat.
 */
export class PatientDatabase implements Database {
  readonly name: string;
  readonly now: string;
  private readonly database: Database;
  private readonly patience: Patience;

  constructor(database: Database, patience: Patience) {
    this.name = database.name;
    this.now = database.now;
    this.database = database;
    this.patience = patience;
  }

  rows(sql: string, parameters: readonly SqlValue[] = []): Promise<Row[]> {
    return this.untilThere(() => this.database.rows(sql, parameters));
  }

  transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    return this.untilThere(() => this.database.transaction(work));
  }

  close(): Promise<void> {
    return this.database.close();
  }

  private async untilThere<T>(ask: () => Promise<T>): Promise<T> {
    const { milliseconds, tell } = this.patience;
    const began = performance.now();
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      try {
        const answer = await ask();
        if (pause > FIRST_PAUSE_MS) tell?.(`${this.name} is back`);
        return answer;
      } catch (error) {
        const isTooLong = performance.now() - began > milliseconds;
        if (!(error instanceof ServerGone) || isTooLong) throw error;
        if (pause === FIRST_PAUSE_MS) tell?.(`${error.message}; trying again`);
      }
      await setTimeout(pause * (0.5 + Math.random())); // not all workers at the same moment
    }
  }
}
