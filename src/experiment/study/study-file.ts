import { readFileSync } from "node:fs";
import { globalAttacks } from "../../attack/global-attacks.ts";
import { UserError } from "../../core/errors.ts";
import { type Description, fromJson, type Json } from "../../core/options/index.ts";
import { parseSplitChoice } from "../../data/split-choice.ts";
import { modelKinds } from "../models.ts";
import type { BudgetWish, DatasetChoice, NamedOptions, Study, StudyPart } from "./study.ts";
import { YamlValue } from "./yaml-value.ts";

/** Devices that a study may name. `auto` is none: a result depends on where it was computed. */
export const DEVICES = ["cpu", "webgpu"] as const;
const TIMES = ["evasion", "poisoning"] as const;

/** The keys of a study, and what each is for. */
export const STUDY_KEYS = {
  name: "what the study is called in the store and in reports",
  datasets:
    "names of known graphs, paths, or maps with dataset, directed, allComponents, ignoreWeights, binaryFeatures, adjacency",
  splits: "how nodes are split, as --split takes it; without, the published split of each dataset",
  models: "victims: names, or maps with name and hyperparameters; a list of values means one model for each",
  surrogate: "the model on which flips are found and then transferred; without, they are found on each victim itself",
  attacks:
    "names, or maps with name and options; a list of values means one attack for each; without, nothing is attacked",
  epsilons: "budgets as shares of the edges",
  budgets: "budgets as numbers of flips",
  objectives: "what attacks lower: accuracy, margin or targeted:<class>",
  times: "evasion: victims learned from the clean graph; poisoning: from the perturbed one",
  seeds: "seeds of splits, training and attacks: each is a repetition",
  devices: "cpu or webgpu",
  parts: "maps with keys like these, each of which is measured too; what stands outside holds for all of them",
} as const;

type Key = keyof typeof STUDY_KEYS;
/** Those of a part. */
const PART_KEYS = Object.keys(STUDY_KEYS).filter((key) => key !== "name" && key !== "parts");

/** Reads a study from a file. A mistake is an error that names its line, its key and what would be valid. */
export function readStudy(file: string): Study {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    throw new UserError(`${file}: cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
  return parseStudy(text, file);
}

/** The same from the text of a file. */
export function parseStudy(text: string, file: string): Study {
  const whole = YamlValue.parse(text, file);
  const keys = whole.entries();
  for (const [key, value] of keys) knownOrFail(value, "key", key, Object.keys(STUDY_KEYS));
  const name = textOf(keys.get("name") ?? missing(whole, "name"));
  const parts = keys.get("parts");
  if (!parts) return { name, parts: [partOf(whole, keys)] };
  return {
    name,
    parts: parts.items().map((part) => {
      const own = part.entries();
      for (const [key, value] of own) knownOrFail(value, "key of a part", key, PART_KEYS);
      return partOf(part, new Map([...keys, ...own]));
    }),
  };
}

/** One part of a study; `place` is where a missing key is missed. */
function partOf(place: YamlValue, keys: ReadonlyMap<string, YamlValue>): StudyPart {
  const required = (key: Key) => keys.get(key) ?? missing(place, key);
  const listOf = <T>(key: Key, read: (value: YamlValue) => T, otherwise: readonly T[]) =>
    keys.has(key) ? distinct(keys.get(key)!.items(), read) : otherwise;
  const named = (value: YamlValue | undefined, kind: Kind) =>
    value?.items().flatMap((item) => namedOptions(item, kind)) ?? [];
  const attacks = named(keys.get("attacks"), "attack");
  const budgets = budgetsOf(keys);
  if (attacks.length > 0 && budgets.length === 0) missing(place, "epsilons");
  for (const key of ["epsilons", "budgets", "surrogate", "objectives", "times"] as const) {
    if (attacks.length === 0) keys.get(key)?.fail("is about attacks, and there are none; name attacks");
  }
  const surrogates = named(keys.get("surrogate"), "model");
  if (surrogates.length > 1) keys.get("surrogate")!.fail("must be one model");
  return {
    datasets: required("datasets").items().map(datasetOf),
    splits: listOf<string | null>("splits", splitOf, [null]),
    models: named(required("models"), "model"),
    surrogate: surrogates[0] ?? null,
    attacks,
    budgets,
    objectives: listOf("objectives", objectiveOf, ["accuracy"]),
    times: listOf("times", (value) => oneOf(value, TIMES), ["evasion"]),
    seeds: distinct(required("seeds").items(), seedOf),
    devices: listOf<string>("devices", (value) => oneOf(value, DEVICES), ["cpu"]),
  };
}

function missing(place: YamlValue, key: Key): never {
  return place.fail(`${key} is missing: ${STUDY_KEYS[key]}`);
}

function budgetsOf(keys: ReadonlyMap<string, YamlValue>): BudgetWish[] {
  const epsilons = distinct(keys.get("epsilons")?.items() ?? [], (value) => {
    const { json } = value;
    const isShare = typeof json === "number" && json >= 0 && json <= 1;
    return isShare ? json : value.fail(`must be a share of the edges in [0, 1], got ${value.shown}`);
  });
  const budgets = distinct(keys.get("budgets")?.items() ?? [], (value) =>
    wholeNumber(value, "a whole number of flips"),
  );
  return [...epsilons.map((epsilon) => ({ epsilon })), ...budgets.map((budget) => ({ budget }))];
}

/** What has a name and options. */
type Kind = "model" | "attack";
const kinds: Readonly<Record<Kind, Readonly<Record<string, Description>>>> = {
  model: mapValues(modelKinds, ({ options, trainingOptions }) => ({ ...options, ...trainingOptions })),
  attack: mapValues(globalAttacks, ({ options }) => options),
};

/** A name, or a map with a name and options: one for each combination of their values. */
function namedOptions(value: YamlValue, kind: Kind): NamedOptions[] {
  const known = Object.keys(kinds[kind]);
  if (!value.isMap) return [{ name: oneOf(value, known, kind), options: {} }];
  const entries = value.entries();
  const name = oneOf(entries.get("name") ?? value.fail("name is missing"), known, kind);
  const description = kinds[kind][name];
  let all: Record<string, Json>[] = [{}];
  for (const [key, given] of entries) {
    if (key === "name") continue;
    knownOrFail(given, `option of ${name}`, key, Object.keys(description));
    const values = optionValues(given, description, key);
    all = all.flatMap((options) => values.map((each) => ({ ...options, [key]: each })));
  }
  return all.map((options) => ({ name, options }));
}

/** The value of an option or, if it is a list where one value is wanted, each of its items. */
function optionValues(value: YamlValue, description: Description, name: string): Json[] {
  const option = description[name];
  const read = (each: YamlValue) => {
    const known = located(each, () => fromJson(option, each.json));
    return known === undefined ? each.fail(`must be ${option.must}, got ${each.shown}`) : option.toJson(known);
  };
  const isGrid = value.isList && !option.accepts(value.json);
  return isGrid ? distinct(value.items(), read) : [read(value)];
}

function datasetOf(value: YamlValue): DatasetChoice {
  if (!value.isMap) return { dataset: textOf(value) };
  const texts = ["dataset", "adjacency"];
  const flags = ["directed", "allComponents", "ignoreWeights", "binaryFeatures"];
  const choice: Record<string, Json> = {};
  for (const [key, given] of value.entries()) {
    knownOrFail(given, "key", key, [...texts, ...flags]);
    if (flags.includes(key) && typeof given.json !== "boolean") given.fail(`must be true or false, got ${given.shown}`);
    choice[key] = texts.includes(key) ? textOf(given) : given.json;
  }
  if (choice["dataset"] === undefined) value.fail("dataset is missing");
  return choice as unknown as DatasetChoice;
}

function splitOf(value: YamlValue): string {
  const text = textOf(value);
  located(value, () => parseSplitChoice(text));
  return text;
}

function objectiveOf(value: YamlValue): string {
  const text = textOf(value);
  if (/^(accuracy|margin|targeted:.+)$/.test(text)) return text;
  return value.fail(`must be accuracy, margin or targeted:<class>, got ${value.shown}`);
}

function seedOf(value: YamlValue): number {
  return wholeNumber(value, "a whole number from 0");
}

function wholeNumber(value: YamlValue, what: string): number {
  const { json } = value;
  const fits = typeof json === "number" && Number.isSafeInteger(json) && json >= 0;
  return fits ? json : value.fail(`must be ${what}, got ${value.shown}`);
}

function textOf(value: YamlValue): string {
  const { json } = value;
  return typeof json === "string" && json !== "" ? json : value.fail(`must be a text, got ${value.shown}`);
}

function oneOf<const T extends string>(value: YamlValue, known: readonly T[], what = "one"): T {
  const { json } = value;
  const found = known.find((name) => name === json);
  return found ?? value.fail(`is no known ${what}: ${value.shown}; known are ${known.join(", ")}`);
}

function knownOrFail(value: YamlValue, what: string, key: string, known: readonly string[]): void {
  if (!known.includes(key)) value.fail(`is no ${what}; known are ${known.join(", ")}`);
}

/** The values of a list, each of which may be there once. */
function distinct<T>(values: readonly YamlValue[], read: (value: YamlValue) => T): T[] {
  const seen = new Set<string>();
  return values.map((value) => {
    const item = read(value);
    const text = JSON.stringify(item);
    if (seen.has(text)) value.fail(`is there twice: ${value.shown}`);
    seen.add(text);
    return item;
  });
}

/** A mistake that is found elsewhere, told with its line and key. */
function located<T>(value: YamlValue, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof UserError) return value.fail(`is wrong: ${error.message}`);
    throw error;
  }
}

function mapValues<T, U>(record: Readonly<Record<string, T>>, change: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}
