import { globalAttacks } from "../../attack/global-attacks.ts";
import { localAttacks } from "../../attack/local/local-attacks.ts";
import { type Description, type Json, type Schema, schemaOf } from "../../core/options/index.ts";
import { modelKinds } from "../../defense/model-kinds.ts";
import { DEVICES, INFLUENCES, NODE_SETS, ONLY, QUANTITIES, STUDY_KEYS, TIMES } from "./study-file.ts";

/** The JSON schema of study files, for editors that check and complete them. */
export function studySchema(): Schema {
  const model: Json = { $ref: "#/$defs/model" };
  const attack: Json = { $ref: "#/$defs/attack" };
  const dataset: Json = { $ref: "#/$defs/dataset" };
  const ofPart: Record<Exclude<Key, "name" | "parts">, Json> = {
    datasets: oneOrMore(dataset),
    splits: oneOrMore({ type: "string" }),
    models: oneOrMore(model),
    surrogate: model,
    attacks: oneOrMore(attack),
    epsilons: oneOrMore({ type: "number", minimum: 0, maximum: 1 }),
    budgets: oneOrMore({ type: "integer", minimum: 0 }),
    helper: model,
    chain: { type: "boolean" },
    polish: { type: "integer", minimum: 0 },
    constraints: oneOrMore({ $ref: "#/$defs/constraints" }),
    influences: oneOrMore({ type: "string", enum: INFLUENCES }),
    quantity: { type: "string", enum: QUANTITIES },
    trainedOn: { type: "string", enum: DEVICES },
    objectives: oneOrMore({ type: "string", pattern: "^(accuracy|margin|targeted:.+)$" }),
    times: oneOrMore({ type: "string", enum: TIMES }),
    certificates: oneOrMore({ $ref: "#/$defs/certificate" }),
    seeds: oneOrMore({ type: "integer", minimum: 0 }),
    devices: oneOrMore({ type: "string", enum: DEVICES }),
  };
  const part = { type: "object", properties: described(ofPart), additionalProperties: false };
  const whole = {
    name: { type: "string", minLength: 1 },
    ...ofPart,
    parts: { type: "array", items: part, minItems: 1 },
  };
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "A study of rgnn",
    type: "object",
    properties: described(whole),
    required: ["name"],
    additionalProperties: false,
    $defs: {
      model: oneOrGrid("model", modelKinds, ({ options, trainingOptions }) => ({ ...options, ...trainingOptions })),
      attack: oneOrGrid("attack", { ...globalAttacks, ...localAttacks }, ({ options }) => options),
      constraints: { anyOf: [{ const: "none" }, constraintsSchema()] },
      certificate: certificateSchema(),
      dataset: { anyOf: [{ type: "string" }, datasetSchema()] },
    },
  };
}

type Key = keyof typeof STUDY_KEYS;

/** Schemas of keys, with what each key is for. */
function described(schemas: Readonly<Record<string, Json>>): Record<string, Json> {
  const entries = Object.entries(schemas).map(([key, schema]) => [
    key,
    { description: STUDY_KEYS[key as Key], ...(schema as object) },
  ]);
  return Object.fromEntries(entries) as Record<string, Json>;
}

/** A name, or a map with it and options, each with one value or a list of values. */
function oneOrGrid<Kind extends { readonly summary: string }>(
  what: string,
  kinds: Readonly<Record<string, Kind>>,
  optionsOf: (kind: Kind) => Description,
): Json {
  const maps = Object.entries(kinds).map(([name, kind]): Json => {
    const { properties } = schemaOf(optionsOf(kind)) as { properties: Record<string, Json> };
    const grids = Object.entries(properties).map(([option, schema]) => [option, gridOf(schema)]);
    return {
      type: "object",
      description: kind.summary,
      properties: { name: { const: name }, ...Object.fromEntries(grids) },
      required: ["name"],
      additionalProperties: false,
    };
  });
  return { anyOf: [{ type: "string", enum: Object.keys(kinds), description: `name of a ${what}` }, ...maps] };
}

/** One value of an option or several. Description and default stand outside, because they are about both. */
function gridOf(schema: Json): Json {
  const { description, default: usual, ...value } = schema as Readonly<Record<string, Json>>;
  return { ...(oneOrMore(value) as object), description, default: usual };
}

function datasetSchema(): Json {
  const flag: Json = { type: "boolean" };
  const properties = {
    dataset: { type: "string" },
    adjacency: { type: "string" },
    directed: flag,
    allComponents: flag,
    ignoreWeights: flag,
    binaryFeatures: flag,
  };
  return { type: "object", properties, required: ["dataset"], additionalProperties: false };
}

function certificateSchema(): Json {
  const probability: Json = { type: "number", minimum: 0, exclusiveMaximum: 1 };
  const noise: Json = {
    type: "object",
    properties: { add: probability, delete: probability },
    additionalProperties: false,
  };
  const samples: Json = { type: "integer", minimum: 1 };
  const properties = {
    edges: noise,
    features: noise,
    noiseSeed: { type: "integer", minimum: 0 },
    samples,
    preSamples: samples,
    alpha: { type: "number", exclusiveMinimum: 0, exclusiveMaximum: 1 },
  };
  return { type: "object", properties, additionalProperties: false };
}

function constraintsSchema(): Json {
  const set: Json = { type: "string", enum: NODE_SETS };
  const properties = {
    only: { type: "string", enum: ONLY },
    perNode: { type: "number", minimum: 0 },
    protectNodes: set,
    between: { type: "array", items: set, minItems: 2, maxItems: 2 },
  };
  return { type: "object", properties, additionalProperties: false };
}

function oneOrMore(schema: Json): Json {
  return { anyOf: [schema, { type: "array", items: schema, minItems: 1 }] };
}
