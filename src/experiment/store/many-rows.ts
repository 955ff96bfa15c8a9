import type { Row, Sql, SqlValue } from "./database.ts";

/**
 * Most parameters of one statement. SQLite takes 32,766 and PostgreSQL 65,535, but longer statements are no quicker.
 */
const MOST_PARAMETERS = 2000;

/**
 * Adds many rows with few statements, except those whose `unique` column is there already. Returns the `unique` columns
 * of the added rows.
 */
export async function insertNew(sql: Sql, table: string, unique: string, rows: readonly Row[]): Promise<Row[]> {
  if (rows.length === 0) return [];
  const added: Row[] = [];
  const columns = Object.keys(rows[0]);
  for (const part of chunks(rows, Math.floor(MOST_PARAMETERS / columns.length))) {
    const places = part.map((_, k) => `(${columns.map((_, c) => `$${k * columns.length + c + 1}`).join()})`);
    const inserted = await sql.rows(
      `INSERT INTO ${table} (${columns.join()}) VALUES ${places.join()} ON CONFLICT (${unique}) DO NOTHING RETURNING ${unique}`,
      part.flatMap((row) => columns.map((column) => row[column])),
    );
    added.push(...inserted);
  }
  return added;
}

/** Rows whose `column` has one of many values; `$…` in `select` stands for the list. */
export async function rowsWith(sql: Sql, select: string, values: readonly SqlValue[]): Promise<Row[]> {
  const found: Row[] = [];
  for (const part of chunks(values, MOST_PARAMETERS)) {
    const places = part.map((_, k) => `$${k + 1}`).join();
    found.push(...(await sql.rows(select.replace("$…", places), part)));
  }
  return found;
}

/** The numbers of rows, by their ids. */
export async function numbersOf(sql: Sql, table: string, ids: readonly string[]): Promise<Map<string, number>> {
  const rows = await rowsWith(sql, `SELECT number, id FROM ${table} WHERE id IN ($…)`, ids);
  return new Map(rows.map(({ number, id }) => [String(id), Number(number)]));
}

/** The number that the next row of a table gets. */
export async function nextNumber(sql: Sql, table: string): Promise<number> {
  const [{ last }] = await sql.rows(`SELECT COALESCE(MAX(number), 0) AS last FROM ${table}`);
  return Number(last) + 1;
}

export function chunks<T>(all: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, k) => all.slice(k * size, (k + 1) * size));
}
