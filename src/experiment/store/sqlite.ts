import type { DatabaseSync, StatementSync } from "node:sqlite";
import { setTimeout } from "node:timers/promises";
import { UserError } from "../../core/errors.ts";
import type { Database, Row, Sql, SqlValue } from "./database.ts";

/** How long a process waits for the others to finish writing. */
const PATIENCE_MS = 60_000;
/** How long SQLite itself waits: meanwhile the thread is blocked. */
const BUSY_MS = 5;
const SQLITE_BUSY = 5;

/** A database in one file, which several processes of one machine may use at once. Created if it does not exist. */
export async function openSqlite(file: string): Promise<Database> {
  const { DatabaseSync } = await importSqlite();
  try {
    const connection = new DatabaseSync(file);
    connection.exec(`PRAGMA busy_timeout = ${BUSY_MS}`); // first: the other settings may have to wait too
    await whenFree(() => connection.exec("PRAGMA journal_mode = WAL")); // readers do not wait for writers
    connection.exec("PRAGMA synchronous = NORMAL"); // enough to survive kill -9; a power cut may cost the last results
    connection.exec("PRAGMA cache_size = -65536"); // 64 MiB
    return new SqliteDatabase(file, connection);
  } catch (error) {
    throw new UserError(`${file}: is no store (${(error as Error).message}); name another with --store`);
  }
}

/** Imports Node's SQLite without its warning on stderr that it is experimental, which does not concern users. */
async function importSqlite(): Promise<typeof import("node:sqlite")> {
  const { emitWarning } = process;
  process.emitWarning = (() => {}) as typeof emitWarning;
  try {
    return await import("node:sqlite");
  } finally {
    process.emitWarning = emitWarning;
  }
}

/** Tries again while another process is writing. */
async function whenFree<T>(send: () => T): Promise<T> {
  const end = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return send();
    } catch (error) {
      if ((error as { errcode?: number }).errcode !== SQLITE_BUSY || performance.now() > end) throw error;
    }
    await setTimeout(1 + 5 * Math.random());
  }
}

class SqliteDatabase implements Database {
  readonly name: string;
  readonly now = "(unixepoch('subsec') * 1000.0)";
  private readonly connection: DatabaseSync;
  private readonly statements = new Map<string, PreparedStatement>();
  /** Requests take turns, because there is one connection. */
  private turn: Promise<unknown> = Promise.resolve();

  constructor(name: string, connection: DatabaseSync) {
    this.name = name;
    this.connection = connection;
  }

  rows(sql: string, parameters: readonly SqlValue[] = []): Promise<Row[]> {
    return this.inTurn(() => whenFree(() => this.send(sql, parameters)));
  }

  transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    return this.inTurn(async () => {
      await whenFree(() => this.connection.exec("BEGIN IMMEDIATE"));
      try {
        const result = await work({ rows: async (sql, parameters = []) => this.send(sql, parameters) });
        this.connection.exec("COMMIT");
        return result;
      } catch (error) {
        this.connection.exec("ROLLBACK");
        throw error;
      }
    });
  }

  async close(): Promise<void> {
    await this.inTurn(async () => this.connection.close());
  }

  private send(sql: string, parameters: readonly SqlValue[]): Row[] {
    let prepared = this.statements.get(sql);
    if (!prepared) {
      prepared = this.prepare(sql);
      this.statements.set(sql, prepared);
    }
    return prepared.statement.all(...prepared.order.map((k) => parameters[k])) as unknown as Row[];
  }

  /** Replaces every `$3` by `?`: older versions of Node bind no other parameters by position. */
  private prepare(sql: string): PreparedStatement {
    const order = Array.from(sql.matchAll(/\$(\d+)/g), ([, number]) => Number(number) - 1);
    return { statement: this.connection.prepare(sql.replace(/\$\d+/g, "?")), order };
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.turn.then(work);
    this.turn = result.catch(() => {});
    return result;
  }
}

interface PreparedStatement {
  readonly statement: StatementSync;
  /** Which parameter each `?` stands for. */
  readonly order: readonly number[];
}
