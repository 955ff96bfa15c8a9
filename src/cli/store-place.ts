import { dirname, join } from "node:path";
import { isServer } from "../experiment/store/open-run-store.ts";

/** Where results go unless told otherwise. */
export const DEFAULT_STORE = "rgnn-results/store.sqlite";

/** How long a command that measures waits for a database server that went away. */
export const PATIENCE = { milliseconds: 600_000, tell: (line: string) => console.error(line) };

/** The folder of trained models and flips: beside a store that is a file; for a server, beside the default store. */
export function artefactsBeside(place: string): string {
  return join(dirname(isServer(place) ? DEFAULT_STORE : place), "artefacts");
}
