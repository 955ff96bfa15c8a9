/** A value that a column holds or a query is given. */
export type SqlValue = string | number | null;

/** A row of a query, by the names of its columns. */
export type Row = Readonly<Record<string, SqlValue>>;

/** Sends SQL. Parameters are `$1`, `$2` and so on. */
export interface Sql {
  rows(sql: string, parameters?: readonly SqlValue[]): Promise<Row[]>;
}

/** What a store asks of the database underneath: the same SQL runs on each of them. */
export interface Database extends Sql {
  /** Name in messages; contains no password. */
  readonly name: string;
  /** SQL for the milliseconds since 1970 by the database's clock, which all processes and machines share. */
  readonly now: string;
  /**
   * Runs `work` atomically: others see all of it or nothing, even if the process is killed. Writers wait for each
   * other.
   */
  transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}
