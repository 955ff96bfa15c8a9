import { dirname, join } from "node:path";
import { isServer } from "../experiment/store/open-run-store.ts";

/** Where results go unless told otherwise. */
export const DEFAULT_STORE = "rgnn-results/store.sqlite";

/** How long a command that measures waits for a server that goes away. */
export const PATIENCE = { milliseconds: 600_000, tell: (line: string) => console.error(line) };

/** Trained models and flips of a store lie beside it; those of a server in a folder of their own. */
export function artefactsBeside(place: string): string {
  return join(dirname(isServer(place) ? DEFAULT_STORE : place), "artefacts");
}
