import { readFileSync } from "node:fs";
import { globalAttacks } from "../../attack/global-attacks.ts";
import { localAttacks } from "../../attack/local/local-attacks.ts";
import type { Influence } from "../../attack/local/local-task.ts";
import { UserError } from "../../core/errors.ts";
import { type Description, fromJson, type Json } from "../../core/options/index.ts";
import { parseSplitChoice } from "../../data/split-choice.ts";
import { modelKinds } from "../../defense/model-kinds.ts";
import { certificateOf } from "./certificate-wish.ts";
import type { ConstraintDescription } from "./run-description.ts";
import type { BudgetWish, DatasetChoice, NamedOptions, Study, StudyPart } from "./study.ts";
import { YamlValue } from "./yaml-value.ts";

/** Devices that a study may name; not `auto`, because a result depends on where it was computed. */
export const DEVICES = ["cpu", "webgpu"] as const;
export const TIMES = ["evasion", "poisoning"] as const;
export const INFLUENCES = ["direct", "influencer", "both"] as const;
export const QUANTITIES = [
  "accuracy",
  "validation-accuracy",
  "success-rate",
  "hidden-shift",
  "gradient-agreement",
] as const;
/** Sets of nodes that constraints may name. */
export const NODE_SETS = ["train", "val", "test"] as const;
/** Values of the constraint `only`. */
export const ONLY = ["additions", "removals"] as const;

/** The keys of a study, and what each is for. */
export const STUDY_KEYS = {
  name: "what the study is called in the store and in reports",
  datasets:
    "names of known graphs, paths, or maps with dataset, directed, allComponents, ignoreWeights, binaryFeatures, adjacency",
  splits: "how nodes are split, as --split takes it; without, the published split of each dataset",
  models: "victims: names, or maps with name and hyperparameters; a list of values means one model for each",
  surrogate: "the model on which flips are found and then transferred; without, they are found on each victim itself",
  helper: "a model whose flips may help attacks that take such help, as auto does",
  attacks:
    "on the whole graph or on single nodes: names, or maps with name and options; a list of values means one attack for each; without, nothing is attacked",
  epsilons: "budgets as shares of the edges; of attacks on single nodes, of those of the node",
  budgets: "budgets as numbers of flips; of attacks on single nodes, at each of them",
  chain:
    "true: each budget goes on from the flips of the next smaller one; without, as the attack does by itself (auto does)",
  polish: "rounds by which flips are improved on the victim before it is evaluated",
  objectives: "what attacks lower: accuracy, margin or targeted:<class>",
  constraints:
    "which flips attacks on the whole graph may make: maps with only, perNode, protectNodes, between; each is measured, and none where it says none",
  influences:
    "which edges attacks on single nodes may flip: direct (of the node), influencer (of its neighbours) or both",
  times: "evasion: victims learned from the clean graph; poisoning: from the perturbed one",
  quantity:
    "what is measured: accuracy; validation-accuracy, without attacks; success-rate of attacks on single nodes; hidden-shift, how far flips move the first hidden layer; gradient-agreement",
  certificates:
    "certificates by randomised smoothing, of every model and instead of attacks: maps with noise on edges or features (add, delete), samples, preSamples, alpha, noiseSeed",
  seeds: "seeds of splits, training and attacks: each is a repetition",
  devices: "cpu or webgpu",
  trainedOn: "the device on which all models learn; without, the one they are attacked on",
  parts: "maps with keys like these, each of which is measured too; what stands outside holds for all of them",
} as const;

type Key = keyof typeof STUDY_KEYS;
/** Keys of a part. */
const PART_KEYS = Object.keys(STUDY_KEYS).filter((key) => key !== "name" && key !== "parts");

/** Reads a study from a file. A mistake is an error that names its line, its key and what would be valid. */
export function readStudy(file: string): Study {
  return parseStudy(readStudyText(file), file);
}

/** The text of a study file. */
export function readStudyText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new UserError(`${file}: cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

/** Reads a study from the text of a file; `file` names it in errors. */
export function parseStudy(text: string, file: string): Study {
  const whole = YamlValue.parse(text, file);
  const keys = whole.entries();
  for (const [key, value] of keys) knownOrFail(value, "key", key, Object.keys(STUDY_KEYS));
  const name = textOf(keys.get("name") ?? missing(whole, "name"));
  const parts = keys.get("parts");
  if (!parts) return { name, parts: [partOf(whole, keys, keys)] };
  return {
    name,
    parts: parts.items().map((part) => {
      const own = part.entries();
      for (const [key, value] of own) knownOrFail(value, "key of a part", key, PART_KEYS);
      return partOf(part, new Map([...keys, ...own]), own);
    }),
  };
}

/**
 * One part of a study. A missing key is reported at `place`. Keys of its `own` must be of use to it; inherited ones
 * need not.
 */
function partOf(
  place: YamlValue,
  keys: ReadonlyMap<string, YamlValue>,
  own: ReadonlyMap<string, YamlValue>,
): StudyPart {
  const required = (key: Key) => keys.get(key) ?? missing(place, key);
  const listOf = <T>(key: Key, read: (value: YamlValue) => T, otherwise: readonly T[]) =>
    keys.has(key) ? distinct(keys.get(key)!.items(), read) : otherwise;
  const named = (value: YamlValue | undefined, kind: Kind) =>
    value?.items().flatMap((item) => namedOptions(item, kind)) ?? [];
  const attacks = named(keys.get("attacks"), "attack");
  const budgets = budgetsOf(keys);
  if (attacks.length > 0 && budgets.length === 0) missing(place, "epsilons");
  for (const key of ABOUT_ATTACKS) {
    if (attacks.length === 0) own.get(key)?.fail("is about attacks, and there are none; name attacks");
  }
  const certificates = listOf("certificates", certificateOf, []);
  if (certificates.length > 0 && attacks.length > 0) {
    const both = own.get("certificates") ?? own.get("attacks") ?? place;
    both.fail("there are attacks and certificates; give each of them a part of its own");
  }
  if (attacks.length > 0 && keys.get("quantity")?.json === "validation-accuracy") {
    (own.get("quantity") ?? place).fail("validation-accuracy is measured without attacks; leave out one of them");
  }
  if (certificates.length > 0) own.get("quantity")?.fail("is about attacks; leave it out beside certificates");
  const oneModel = (key: Key) => {
    const models = named(keys.get(key), "model");
    return models.length > 1 ? keys.get(key)!.fail("must be one model") : (models[0] ?? null);
  };
  const one = <T>(key: Key, read: (value: YamlValue) => T) => (keys.has(key) ? { [key]: read(keys.get(key)!) } : {});
  const part: StudyPart = {
    datasets: required("datasets").items().map(datasetOf),
    splits: listOf<string | null>("splits", splitOf, [null]),
    models: named(required("models"), "model"),
    surrogate: oneModel("surrogate"),
    helper: oneModel("helper"),
    attacks,
    budgets,
    objectives: listOf("objectives", objectiveOf, ["accuracy"]),
    constraints: listOf<ConstraintDescription | null>("constraints", constraintsOf, [null]),
    influences: listOf<Influence>("influences", (value) => oneOf(value, INFLUENCES), ["direct"]),
    times: listOf("times", (value) => oneOf(value, TIMES), ["evasion"]),
    seeds: distinct(required("seeds").items(), seedOf),
    devices: listOf<string>("devices", (value) => oneOf(value, DEVICES), ["cpu"]),
    certificates,
    ...one("chain", flagOf),
    ...one("polish", (value) => wholeNumber(value, "a whole number of rounds")),
    ...one("quantity", (value) => oneOf(value, QUANTITIES)),
    ...one("trainedOn", (value) => oneOf(value, DEVICES)),
  };
  checkOfUse(part, place, own);
  return part;
}

/** Throws for keys that would have no effect. */
function checkOfUse(
  { attacks = [], quantity }: StudyPart,
  place: YamlValue,
  own: ReadonlyMap<string, YamlValue>,
): void {
  if (attacks.length === 0 && (quantity === "success-rate" || quantity === "hidden-shift"))
    (own.get("quantity") ?? place).fail(`${quantity} is about attacks, and there are none; name attacks`);
  if (!attacks.some(({ name }) => globalAttacks[name]?.takesSurrogates))
    own.get("helper")?.fail("is for attacks that take such help, and there are none; leave it out, or name auto");
  if (!attacks.some(({ name }) => Object.hasOwn(localAttacks, name)))
    own.get("influences")?.fail("is about attacks on single nodes, and there are none; leave it out");
}

const ABOUT_ATTACKS = [
  "epsilons",
  "budgets",
  "surrogate",
  "helper",
  "chain",
  "polish",
  "objectives",
  "constraints",
  "influences",
  "times",
] as const;

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

/** The models of one entry of `models`: one for each combination of its values. */
export function modelsOf(entry: YamlValue): NamedOptions[] {
  return namedOptions(entry, "model");
}

/** What has a name and options. */
type Kind = "model" | "attack";
const kinds: Readonly<Record<Kind, Readonly<Record<string, Description>>>> = {
  model: mapValues(modelKinds, ({ options, trainingOptions }) => ({ ...options, ...trainingOptions })),
  attack: {
    ...mapValues(globalAttacks, ({ options }) => options),
    ...mapValues(localAttacks, ({ options }) => options),
  },
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
    choice[key] = texts.includes(key) ? textOf(given) : flagOf(given);
  }
  if (choice["dataset"] === undefined) value.fail("dataset is missing");
  return choice as unknown as DatasetChoice;
}

/** A map of rules, or the word none. */
function constraintsOf(value: YamlValue): ConstraintDescription | null {
  if (value.json === "none") return null;
  const rules: Record<string, Json> = {};
  for (const [key, given] of value.entries()) {
    knownOrFail(given, "constraint", key, Object.keys(CONSTRAINTS));
    rules[key] = CONSTRAINTS[key as keyof ConstraintDescription](given);
  }
  return rules as ConstraintDescription;
}

/** How each constraint is read. */
const CONSTRAINTS: Readonly<Record<keyof ConstraintDescription, (value: YamlValue) => Json>> = {
  only: (value) => oneOf(value, ONLY),
  perNode(value) {
    const { json } = value;
    return typeof json === "number" && json >= 0
      ? json
      : value.fail(`must be a share of the degree from 0, got ${value.shown}`);
  },
  protectNodes: (value) => oneOf(value, NODE_SETS, "set of nodes"),
  between(value) {
    const sets = value.items().map((set) => oneOf(set, NODE_SETS, "set of nodes"));
    return sets.length === 2 ? sets : value.fail(`must be two sets of nodes, got ${value.shown}`);
  },
};

function flagOf(value: YamlValue): boolean {
  const { json } = value;
  return typeof json === "boolean" ? json : value.fail(`must be true or false, got ${value.shown}`);
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

/** The values of a list; throws if one is there twice. */
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

/** Adds line and key to a mistake that `read` reports. */
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
