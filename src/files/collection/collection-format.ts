import { check, DataError } from "../../core/errors.ts";
import { parseJson } from "../../data/formats/json.ts";
import type { Collection, CollectionEntry } from "./collection.ts";

const FORMAT = "rgnn-collection";
const VERSION = 1;

/** A collection as JSON, one entry per line. */
export function formatCollection({ entries }: Collection): string {
  const head = JSON.stringify({ format: FORMAT, version: VERSION }).slice(0, -1);
  const lines = entries.map((entry) => JSON.stringify(entry)).join(",\n");
  return `${head},"entries":[\n${lines}${lines === "" ? "" : "\n"}]}\n`;
}

/** Reads a collection back. Throws an error that names the field if one is missing or has the wrong type. */
export function parseCollection(bytes: Uint8Array, where: string): Collection {
  const root = record(parseJson(bytes, where), where);
  check(root["format"] === FORMAT, () => `${where}: is no collection of flips: format must be "${FORMAT}"`, DataError);
  check(
    root["version"] === VERSION,
    () => `${where}: is of version ${JSON.stringify(root["version"])}; this program reads version ${VERSION}`,
    DataError,
  );
  return {
    entries: list(root["entries"], `${where}: entries`).map((entry, k) => parseEntry(entry, `${where}: entry ${k}`)),
  };
}

function parseEntry(value: unknown, where: string): CollectionEntry {
  const { graph, split, budget, model, surrogate, attack, accuracy, flips } = record(value, where);
  const graphFields = record(graph, `${where}: graph`);
  const splitFields = record(split, `${where}: split`);
  const shares = record(accuracy, `${where}: accuracy`);
  const entry: CollectionEntry = {
    graph: {
      name: text(graphFields["name"], `${where}: graph.name`),
      sha256: hash(graphFields["sha256"], `${where}: graph.sha256`),
    },
    split: {
      name: text(splitFields["name"], `${where}: split.name`),
      seed: whole(splitFields["seed"], `${where}: split.seed`),
      sha256: hash(splitFields["sha256"], `${where}: split.sha256`),
    },
    budget: whole(budget, `${where}: budget`),
    model: text(model, `${where}: model`),
    ...(surrogate !== undefined && { surrogate: text(surrogate, `${where}: surrogate`) }),
    attack: text(attack, `${where}: attack`),
    accuracy: {
      clean: share(shares["clean"], `${where}: accuracy.clean`),
      adversarial: share(shares["adversarial"], `${where}: accuracy.adversarial`),
    },
    flips: list(flips, `${where}: flips`).map((flip, k) => pair(flip, `${where}: flip ${k}`)),
  };
  check(
    entry.flips.length <= entry.budget,
    () => `${where}: has ${entry.flips.length} flips, more than its budget of ${entry.budget}`,
    DataError,
  );
  return entry;
}

function record(value: unknown, where: string): Readonly<Record<string, unknown>> {
  const isRecord = typeof value === "object" && value !== null && !Array.isArray(value);
  check(isRecord, () => `${where} must be an object, got ${shown(value)}`, DataError);
  return value as Readonly<Record<string, unknown>>;
}

function list(value: unknown, where: string): readonly unknown[] {
  check(Array.isArray(value), () => `${where} must be a list, got ${shown(value)}`, DataError);
  return value;
}

function text(value: unknown, where: string): string {
  check(typeof value === "string" && value !== "", () => `${where} must be a text, got ${shown(value)}`, DataError);
  return value;
}

function hash(value: unknown, where: string): string {
  const isHash = typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
  check(isHash, () => `${where} must be 64 hexadecimal digits, got ${shown(value)}`, DataError);
  return value;
}

function whole(value: unknown, where: string): number {
  const isWhole = Number.isSafeInteger(value) && (value as number) >= 0;
  check(isWhole, () => `${where} must be a whole number from 0, got ${shown(value)}`, DataError);
  return value as number;
}

function share(value: unknown, where: string): number {
  const isShare = typeof value === "number" && value >= 0 && value <= 1;
  check(isShare, () => `${where} must be a number in [0, 1], got ${shown(value)}`, DataError);
  return value;
}

function pair(value: unknown, where: string): CollectionEntry["flips"][number] {
  const isId = (id: unknown) => typeof id === "string" || Number.isSafeInteger(id);
  const isPair = Array.isArray(value) && value.length === 2 && value.every(isId);
  check(isPair, () => `${where} must be two ids of nodes, got ${shown(value)}`, DataError);
  return value as unknown as CollectionEntry["flips"][number];
}

/** A value of the file, short enough for one line. */
function shown(value: unknown): string {
  const whole = JSON.stringify(value) ?? "nothing";
  return whole.length > 40 ? `${whole.slice(0, 40)}…` : whole;
}
