import type { Pool, PoolClient } from "pg";
import { DeviceError, UserError } from "../../core/errors.ts";
import type { Database, Row, Sql, SqlValue } from "./database.ts";

/** The lock that writers hold: any number that other programs on the same database are unlikely to choose. */
const WRITERS = 7_497_582; // "rgn" as bytes

/** A database on a PostgreSQL server, for processes on any number of machines. */
export async function openPostgres(url: string): Promise<Database> {
  const name = withoutPassword(url);
  const { default: pg } = await import("pg").catch(() => {
    throw new UserError(`${name}: needs the package pg; npm install pg`);
  });
  const pool = new pg.Pool({ connectionString: url, max: 4 });
  pool.on("error", () => {}); // an idle connection was lost: the next query opens another, or says what is wrong
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

  constructor(name: string, pool: Pool) {
    this.name = name;
    this.pool = pool;
  }

  async rows(sql: string, parameters: readonly SqlValue[] = []): Promise<Row[]> {
    return send(await this.connect(), sql, parameters);
  }

  async transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    const client = await this.connect();
    const sql: Sql = { rows: (text, parameters = []) => client.query(text, [...parameters]).then(({ rows }) => rows) };
    let broken = false;
    try {
      await client.query("BEGIN");
      await client.query(`SELECT pg_advisory_xact_lock(${WRITERS})`);
      const result = await work(sql);
      await client.query("COMMIT");
      return result;
    } catch (error) {
      broken = await client.query("ROLLBACK").then(
        () => false,
        () => true,
      );
      throw error;
    } finally {
      client.release(broken); // the server itself rolls back what a lost connection had begun
    }
  }

  async close(): Promise<void> {
    await this.pool.end();
  }

  private async connect(): Promise<PoolClient> {
    try {
      return await this.pool.connect();
    } catch (error) {
      throw new DeviceError(`${this.name}: cannot be reached (${reasonOf(error)})`);
    }
  }
}

async function send(client: PoolClient, sql: string, parameters: readonly SqlValue[]): Promise<Row[]> {
  try {
    const { rows } = await client.query(sql, [...parameters]);
    return rows;
  } finally {
    client.release();
  }
}

function reasonOf(error: unknown): string {
  const { code, message } = error as { code?: string; message: string };
  return code ?? message;
}
