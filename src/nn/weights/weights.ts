import { check, DataError } from "../../core/errors.ts";
import type { ByteSource } from "../../data/formats/byte-source.ts";
import type { Tensor } from "../../tensor/index.ts";
import type { Model } from "../model.ts";
import type { Sizes } from "../models/model-kind.ts";
import { decodeMetadata, decodeSafetensors, encodeSafetensors, type StoredTensor } from "./safetensors.ts";

/** Facts about a trained model that are saved with its weights, as JSON. More may be added. */
export interface WeightsFacts {
  readonly sizes: Sizes;
  /** The name by which the model was asked for, such as `dense-gcn`. Default: the model's own name, there `gcn`. */
  readonly kind?: string;
  readonly dataset?: string;
  readonly seed?: number;
  /** sha256 of the split that the model was trained and selected on. */
  readonly splitHash?: string;
  readonly [fact: string]: unknown;
}

/** All that is needed to build a model for saved weights. */
export interface WeightsConfig extends WeightsFacts {
  /** The model's own name. */
  readonly name: string;
  /** The name by which a model like this can be asked for. */
  readonly kind: string;
  readonly config: Readonly<Record<string, unknown>>;
}

/** The key of the metadata under which our JSON lies. */
const KEY = "rgnn";

/** Weights as they come from a file. */
export interface SavedWeights {
  /** What error messages call the file. */
  readonly where: string;
  readonly config: WeightsConfig;
  readonly tensors: ReadonlyMap<string, StoredTensor>;
}

/** The bytes of a safetensors file with all parameters and statistics; its metadata say what model they belong to. */
export async function encodeWeights(model: Model, facts: WeightsFacts): Promise<Uint8Array> {
  const tensors = new Map<string, StoredTensor>();
  for (const [name, tensor] of stateOf(model)) tensors.set(name, await hostCopy(tensor));
  return encodeSafetensors({ tensors, metadata: configMetadata(model, facts) });
}

/** Weights that {@link encodeWeights} saved, and what model they belong to. */
export function decodeWeights(source: ByteSource): SavedWeights {
  const { tensors, metadata } = decodeSafetensors(source);
  return { where: source.name, config: configOf(metadata, source.name), tensors };
}

/** What model saved weights belong to, without reading them. */
export function decodeWeightsConfig(source: ByteSource): WeightsConfig {
  return configOf(decodeMetadata(source), source.name);
}

/** The config in a file of our layout. Refuses an exported file: it has a config too, but another layout. */
function configOf(metadata: Readonly<Record<string, string>>, file: string): WeightsConfig {
  const isExported = hasConfig(metadata) && metadata["format"] === "pt";
  check(!isExported, () => `${file}: was exported for PyTorch Geometric; ${importIt(file)}`, DataError);
  return parseConfig(metadata, file);
}

function importIt(file: string): string {
  return `import it with: rgnn weights import ${file} --out imported.safetensors`;
}

/** Overwrites the weights of `model` with saved ones, whose names and shapes must match; else nothing changes. */
export function assignWeights(model: Model, { config, tensors, where }: SavedWeights): void {
  const { name } = config;
  check(name === model.name, () => `${where}: holds weights of ${name}, but the model is ${model.name}`, DataError);
  assignState(model, tensors, where);
}

/** Metadata that say which model weights belong to; {@link decodeWeightsConfig} reads them. */
export function configMetadata(model: Model, facts: WeightsFacts): Record<string, string> {
  const saved: WeightsConfig = { kind: model.name, ...facts, name: model.name, config: model.config };
  return { [KEY]: JSON.stringify(saved) };
}

/** True if the metadata was written by {@link configMetadata}. */
export function hasConfig(metadata: Readonly<Record<string, string>>): boolean {
  return Object.hasOwn(metadata, KEY);
}

export function parseConfig(metadata: Readonly<Record<string, string>>, file: string): WeightsConfig {
  check(
    hasConfig(metadata),
    () => `${file}: metadata has no "${KEY}", as weights of other programs; ${importIt(file)}`,
    DataError,
  );
  let saved: Partial<WeightsConfig> | null;
  try {
    saved = JSON.parse(metadata[KEY]);
  } catch {
    throw new DataError(`${file}: metadata "${KEY}" is not JSON`);
  }
  const fits =
    typeof saved?.name === "string" &&
    (saved.kind === undefined || typeof saved.kind === "string") &&
    isObject(saved.config) &&
    [saved.sizes?.features, saved.sizes?.classes].every((size) => Number.isSafeInteger(size) && size! > 0);
  check(fits, () => `${file}: metadata "${KEY}" must hold name, config and sizes, got ${metadata[KEY]}`, DataError);
  const whole = saved as WeightsConfig;
  return { ...whole, kind: whole.kind ?? whole.name };
}

/** Copies `tensors` into the state of `model`. None may be missing, unexpected, of another shape, or not finite. */
export function assignState(model: Model, tensors: ReadonlyMap<string, StoredTensor>, file: string): void {
  const state = stateOf(model);
  const missing = [...state.keys()].filter((name) => !tensors.has(name));
  const unexpected = [...tensors.keys()].filter((name) => !state.has(name));
  const wrong = [...state].filter(([name, { shape }]) => tensors.has(name) && !equal(tensors.get(name)!.shape, shape));
  const problems = [
    ...(missing.length > 0 ? [`missing ${missing.join(", ")}`] : []),
    ...(unexpected.length > 0 ? [`unexpected ${unexpected.join(", ")}`] : []),
    ...wrong.map(([name, { shape }]) => `${name} is ${text(tensors.get(name)!.shape)}, must be ${text(shape)}`),
  ];
  check(problems.length === 0, () => `${file}: does not fit ${model.name}: ${problems.join("; ")}`, DataError);
  for (const [name, { data }] of tensors) {
    const bad = data.findIndex((value) => !Number.isFinite(value));
    check(bad < 0, () => `${file}: tensor "${name}": value ${data[bad]} at position ${bad} must be finite`, DataError);
  }
  for (const [name, tensor] of state) tensor.assign(tensors.get(name)!.data);
}

export async function hostCopy(tensor: Tensor): Promise<StoredTensor> {
  return { dtype: "F32", shape: tensor.shape, data: Float32Array.from(await tensor.read()) };
}

/** All tensors of a model that are saved, by name. */
export function stateOf({ parameters, statistics }: Model): Map<string, Tensor> {
  return new Map([...parameters, ...statistics]);
}

function equal(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((size, i) => size === b[i]);
}

function text(shape: readonly number[]): string {
  return `[${shape.join(", ")}]`;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
