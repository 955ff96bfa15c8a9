import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { check, DataError } from "../../core/errors.ts";
import { checkWritable, writeAtomically } from "../write-atomically.ts";
import { type Collection, type CollectionEntry, type Kept, withStrongest } from "./collection.ts";
import { formatCollection, parseCollection } from "./collection-format.ts";

/** The folder of the collections that come with the package. */
const SHIPPED = fileURLToPath(new URL("../../../collections", import.meta.url));

/**
 * Reads a collection from a file, from all .json files of a folder, or, by its name, one that comes with the package.
 *
 * @example
 * const { entries } = readCollection("cora_ml");
 * for (const { model, budget, accuracy } of entries) console.log(model, budget, accuracy.adversarial);
 */
export function readCollection(place: string): Collection {
  return { entries: filesAt(place).flatMap((file) => readFile(file).entries) };
}

/**
 * Adds an entry to a collection on the disk if it is stronger than the entry there for the same graph, split, budget
 * and model. `place` is a file that ends in .json, which is created if missing, or a folder with a file for each graph.
 */
export async function addToCollection(place: string, entry: CollectionEntry): Promise<Kept> {
  const file = collectionFile(place, entry.graph.name);
  const kept = withStrongest(existsSync(file) ? readFile(file) : { entries: [] }, entry);
  if (kept.isKept) await writeAtomically(file, formatCollection(kept.collection));
  return kept;
}

/** Throws unless the file for a graph can be written and, if it exists, read. Call it before long work. */
export async function checkCollectionFile(place: string, graphName: string): Promise<void> {
  const file = collectionFile(place, graphName);
  await checkWritable(file);
  if (existsSync(file)) readFile(file);
}

/** The file of a collection for the flips of a graph. */
function collectionFile(place: string, graphName: string): string {
  if (place.endsWith(".json")) return place;
  const isFile = statSync(place, { throwIfNoEntry: false })?.isFile() ?? false;
  check(!isFile, () => `${place}: the file of a collection must end in .json; name one, or a folder`);
  return join(place, `${graphName.replace(/[^\w.-]+/g, "-")}.json`);
}

/** The names of the collections that come with the package. */
export function shippedCollections(): string[] {
  return jsonFiles(SHIPPED).map((file) => basename(file, ".json"));
}

function filesAt(place: string): string[] {
  const here = statSync(place, { throwIfNoEntry: false });
  if (here?.isDirectory()) {
    const files = jsonFiles(place);
    check(files.length > 0, () => `${place}: there is no .json file in this folder`, DataError);
    return files;
  }
  if (here) return [place];
  const names = shippedCollections();
  check(
    names.includes(place),
    () => `${place}: there is no such file or folder, and no collection of this name; known are ${names.join(", ")}`,
    DataError,
  );
  return [join(SHIPPED, `${place}.json`)];
}

function jsonFiles(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .sort()
    .map((name) => join(folder, name));
}

function readFile(file: string): Collection {
  try {
    return parseCollection(readFileSync(file), file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    check(code === undefined, () => `${file}: cannot be read (${code}); is it there, and yours to read?`, DataError);
    throw error;
  }
}
