import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { check } from "../../core/errors.ts";
import { makeFolder } from "../../files/make-folder.ts";
import { migrate } from "./migrations.ts";
import { type Patience, PatientDatabase } from "./patient-database.ts";
import { openPostgres } from "./postgres.ts";
import { SqlStore } from "./sql-store.ts";
import { openSqlite } from "./sqlite.ts";
import type { RunStore } from "./store.ts";

/**
 * Opens the store at a path, or on a PostgreSQL server at `postgres://user:password@host/database`, and creates it if
 * it does not exist. With `patience` it waits for a server that goes away later; a server that cannot be reached at the
 * beginning is an error.
 */
export async function openRunStore(place: string, patience?: Patience): Promise<RunStore> {
  checkPlace(place);
  const opened = isServer(place) ? await openPostgres(place) : await openFile(place);
  const database = patience ? new PatientDatabase(opened, patience) : opened;
  try {
    await migrate(database);
    return new SqlStore(database);
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Opens a store to read from it: a file that is not there is an error rather than an empty store. */
export async function openFilledStore(place: string): Promise<RunStore> {
  checkPlace(place);
  check(
    isServer(place) || existsSync(place),
    () => `${place}: there is no store; measure a study with rgnn run, or name one with --store`,
  );
  return openRunStore(place);
}

/** Whether a store is on a server rather than in a file. */
export function isServer(place: string): boolean {
  return /^postgres(ql)?:\/\//.test(place);
}

/**
 * Throws for other addresses, which would be taken for paths. The message does not repeat the address: it may hold a
 * password.
 */
function checkPlace(place: string): void {
  const isAddress = /^[a-z][a-z\d+.-]+:\//i.test(place); // C:/store.sqlite is a path
  check(
    isServer(place) || !isAddress,
    () => "the address of a store must look like postgres://user:password@host:5432/database; anything else is a file",
  );
}

async function openFile(file: string) {
  await makeFolder(dirname(file));
  return openSqlite(file);
}
