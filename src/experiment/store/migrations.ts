import { check, DataError } from "../../core/errors.ts";
import type { Database } from "./database.ts";

/** Also part of the indexes, so that averages are read from an index alone. */
const SUMS = "done, value_sum, value_squares, clean_sum, clean_squares, seconds_sum, peak_bytes";

/**
 * What each version adds to the one before, in SQL that both SQLite and PostgreSQL understand. A published version
 * never changes; changes are appended as a new one.
 *
 * A cell holds all columns that runs are filtered by, and sums over its runs. A million runs are thus filtered and
 * averaged by reading far fewer cells. Rows of both tables are narrow for the same reason: long values are in `details`
 * and `cell_details`.
 */
export const MIGRATIONS: readonly (readonly string[])[] = [
  [
    `CREATE TABLE cells (
       number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE,
       dataset TEXT NOT NULL, split TEXT NOT NULL, model TEXT NOT NULL, hyperparameters TEXT NOT NULL,
       attack TEXT NOT NULL, options TEXT NOT NULL, loss TEXT NOT NULL, objective TEXT NOT NULL,
       epsilon DOUBLE PRECISION NOT NULL, budget INTEGER NOT NULL, surrogate TEXT NOT NULL, time TEXT NOT NULL,
       device TEXT NOT NULL, code TEXT NOT NULL,
       done INTEGER NOT NULL DEFAULT 0,
       value_sum DOUBLE PRECISION NOT NULL DEFAULT 0, value_squares DOUBLE PRECISION NOT NULL DEFAULT 0,
       clean_sum DOUBLE PRECISION NOT NULL DEFAULT 0, clean_squares DOUBLE PRECISION NOT NULL DEFAULT 0,
       seconds_sum DOUBLE PRECISION NOT NULL DEFAULT 0, peak_bytes DOUBLE PRECISION NOT NULL DEFAULT 0)`,
    `CREATE INDEX cells_by_dataset ON cells (dataset, model, attack, epsilon, ${SUMS})`,
    `CREATE INDEX cells_by_model ON cells (model, attack, epsilon, ${SUMS})`,
    "CREATE TABLE cell_details (cell INTEGER PRIMARY KEY, description TEXT NOT NULL)",
    `CREATE TABLE runs (
       number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, cell INTEGER NOT NULL, seed INTEGER NOT NULL,
       work TEXT NOT NULL, batch TEXT NOT NULL,
       state TEXT NOT NULL, attempts INTEGER NOT NULL DEFAULT 0, owner TEXT, lease_until DOUBLE PRECISION, error TEXT,
       value DOUBLE PRECISION, clean DOUBLE PRECISION, seconds DOUBLE PRECISION, peak_bytes DOUBLE PRECISION,
       finished_at DOUBLE PRECISION)`,
    "CREATE INDEX runs_by_cell ON runs (cell, seed, state)",
    "CREATE INDEX runs_by_state ON runs (state)",
    "CREATE INDEX runs_waiting ON runs (number) WHERE state = 'waiting'",
    "CREATE INDEX runs_waiting_by_work ON runs (work) WHERE state = 'waiting'",
    "CREATE INDEX runs_running ON runs (batch, work) WHERE state = 'running'",
    "CREATE TABLE details (run INTEGER PRIMARY KEY, split_hash TEXT NOT NULL, result TEXT)",
    "CREATE TABLE studies (number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE)",
    "CREATE TABLE study_runs (study INTEGER NOT NULL, run INTEGER NOT NULL, PRIMARY KEY (study, run))",
  ],
  ["ALTER TABLE cells ADD COLUMN quantity TEXT NOT NULL DEFAULT 'accuracy'"],
  [
    "CREATE TABLE state_counts (state TEXT PRIMARY KEY, runs INTEGER NOT NULL)",
    `INSERT INTO state_counts (state, runs)
       SELECT s.state, (SELECT COUNT(*) FROM runs r WHERE r.state = s.state) FROM (SELECT 'waiting' AS state
         UNION ALL SELECT 'running' UNION ALL SELECT 'done' UNION ALL SELECT 'failed') AS s`,
  ],
  [
    // Every change has a number (see changes.ts). Runs that nobody has begun have none, so that adding many updates no
    // index.
    "CREATE TABLE changes (number INTEGER NOT NULL)",
    "INSERT INTO changes (number) VALUES (0)",
    "ALTER TABLE runs ADD COLUMN changed INTEGER NOT NULL DEFAULT 0",
    "CREATE INDEX runs_by_change ON runs (changed) WHERE changed > 0",
    "ALTER TABLE studies ADD COLUMN changed INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE studies ADD COLUMN changed_at DOUBLE PRECISION",
    "ALTER TABLE studies ADD COLUMN text TEXT",
    "ALTER TABLE studies ADD COLUMN wish TEXT",
    "ALTER TABLE studies ADD COLUMN wished_at DOUBLE PRECISION",
    "ALTER TABLE studies ADD COLUMN error TEXT",
  ],
  [
    "DROP INDEX runs_by_state", // with it, queries for done runs of a cell scanned all done runs
    "CREATE INDEX runs_failed ON runs (number) WHERE state = 'failed'",
  ],
];

/** Brings a database up to date; throws if a newer version of the program made it. */
export async function migrate(database: Database, migrations = MIGRATIONS): Promise<void> {
  await database.transaction(async (sql) => {
    await sql.rows("CREATE TABLE IF NOT EXISTS schema_version (version INTEGER NOT NULL)");
    const [row] = await sql.rows("SELECT version FROM schema_version");
    const version = Number(row?.["version"] ?? 0);
    check(
      version <= migrations.length,
      () =>
        `${database.name}: was made by a newer rgnn (store version ${version}, known is ${migrations.length}); update rgnn`,
      DataError,
    );
    for (const statement of migrations.slice(version).flat()) await sql.rows(statement);
    if (!row) await sql.rows("INSERT INTO schema_version (version) VALUES ($1)", [migrations.length]);
    else if (version < migrations.length) await sql.rows("UPDATE schema_version SET version = $1", [migrations.length]);
  });
}
