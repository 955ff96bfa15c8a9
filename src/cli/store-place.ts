import { dirname, join } from "node:path";
import { isServer } from "../experiment/store/open-run-store.ts";

/** Where results go unless told otherwise. */
export const DEFAULT_STORE = "rgnn-results/store.sqlite";

/** Trained models and flips of a store lie beside it; those of a server in a folder of their own. */
export function artefactsBeside(place: string): string {
  return join(dirname(isServer(place) ? DEFAULT_STORE : place), "artefacts");
}
