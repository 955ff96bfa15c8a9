import type { Pool, PoolClient, QueryConfig } from "pg";
import { UserError } from "../../core/errors.ts";
import type { Database, Row, Sql, SqlValue } from "./database.ts";
import { ServerGone } from "./patient-database.ts";

/** The lock that writers hold: any number that other programs on the same database are unlikely to choose. */
const WRITERS = 7_497_582; // "rgn" as bytes

/** Longer than any query takes: without an answer the server or the network is gone. */
const ANSWER_MS = 120_000;

/** Statements with more parameters contain lists, whose lengths vary too much for preparing each statement. */
const MOST_PARAMETERS_KEPT = 8;

/** A database on a PostgreSQL server, for processes on any number of machines. */
export async function openPostgres(url: string): Promise<Database> {
  const name = withoutPassword(url);
  const { default: pg } = await import("pg").catch(() => {
    throw new UserError(`${name}: needs the package pg; npm install pg`);
  });
  const pool = new pg.Pool({
    connectionString: url,
    max: 4,
    keepAlive: true,
    connectionTimeoutMillis: 30_000,
    query_timeout: ANSWER_MS,
    idle_in_transaction_session_timeout: ANSWER_MS, // the server frees the lock of a writer that vanished
  });
  pool.on("error", () => {}); // an idle connection was lost: the next query opens another, or says what is wrong
  pool.on("connect", (client) => client.on("error", () => {})); // or one in use: its query reports that
  const database = new PostgresDatabase(name, pool);
  try {
    await database.rows("SELECT 1");
    return database;
  } catch (error) {
    await pool.end();
    throw error;
  }
}

/** The address as messages may show it. */
function withoutPassword(url: string): string {
  try {
    const { protocol, username, host, pathname } = new URL(url);
    return `${protocol}//${username ? `${username}@` : ""}${host}${pathname}`;
  } catch {
    throw new UserError("the address of the store must look like postgres://user:password@host:5432/database");
  }
}

class PostgresDatabase implements Database {
  readonly name: string;
  readonly now = "(extract(epoch FROM clock_timestamp()) * 1000.0)::double precision";
  private readonly pool: Pool;
  /** Names of the statements that the server keeps on each connection, by their texts. */
  private readonly names = new Map<string, string>();

  constructor(name: string, pool: Pool) {
    this.name = name;
    this.pool = pool;
  }

  rows(sql: string, parameters: readonly SqlValue[] = []): Promise<Row[]> {
    return this.onConnection((client) => client.query(sql, [...parameters]).then(({ rows }) => rows));
  }

  transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    return this.onConnection(async (client) => {
      try {
        await client.query(`BEGIN; SELECT pg_advisory_xact_lock(${WRITERS})`); // one message saves a round trip
        const sql: Sql = {
          rows: async (text, parameters = []) => (await client.query(this.statement(text, parameters))).rows,
        };
        const result = await work(sql);
        await client.query("COMMIT");
        return result;
      } catch (error) {
        if (!isGone(error)) await client.query("ROLLBACK"); // the server itself rolls back what a lost connection had begun
        throw error;
      }
    });
  }

  async close(): Promise<void> {
    await this.pool.end();
  }

  /** Names a statement: each connection then plans it only once, and planning takes as long as executing it. */
  private statement(text: string, parameters: readonly SqlValue[]): QueryConfig {
    const values = [...parameters];
    if (values.length > MOST_PARAMETERS_KEPT) return { text, values };
    const name = this.names.get(text) ?? `rgnn_${this.names.size}`;
    this.names.set(text, name);
    return { name, text, values };
  }

  /** Uses one connection; one that was lost is not used again. */
  private async onConnection<T>(use: (client: PoolClient) => Promise<T>): Promise<T> {
    let client: PoolClient | null = null;
    try {
      client = await this.pool.connect();
      const result = await use(client);
      client.release();
      return result;
    } catch (error) {
      client?.release(isGone(error));
      if (client === null && isRefusal(error)) throw new UserError(`${this.name}: ${refusalText(error)}`);
      if (client !== null && !isGone(error)) throw error;
      throw new ServerGone(`${this.name}: cannot be reached (${reasonOf(error)})`);
    }
  }
}

/**
 * Whether an error says that the connection is lost: an error of the system, an error with which a server shuts down,
 * or an error of the package pg, which has no code.
 */
function isGone(error: unknown): boolean {
  const { code, message } = error as { code?: string; message: string };
  if (code === undefined)
    return /^(Connection terminated|Query read timeout|timeout exceeded|Client (was closed|has encountered))/.test(
      message,
    );
  return /^(E[A-Z]+|08...|57P0[1235]|25P03)$/.test(code);
}

/** Whether the server refuses the connection: a wrong password, user or database. Trying again would not help. */
function isRefusal(error: unknown): boolean {
  const { code, message } = error as { code?: string; message: string };
  return /^(28...|3D000|42501)$/.test(code ?? "") || /password must be a string/.test(message);
}

function refusalText(error: unknown): string {
  const { code, message } = error as { code?: string; message: string };
  const why = code === undefined ? "it asks for a password" : message;
  return `the server refuses the connection: ${why}; check user, database and password (PGPASSWORD or ~/.pgpass)`;
}

function reasonOf(error: unknown): string {
  const { code, message } = error as { code?: string; message: string };
  return code ?? message;
}
