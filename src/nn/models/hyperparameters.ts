import { check, UserError } from "../../core/errors.ts";
import type { Hyperparameters, ModelKind } from "./model-kind.ts";

export interface ResolvedHyperparameters {
  readonly model: Hyperparameters;
  readonly training: Hyperparameters;
}

/** Defaults of a kind, then the preset, then what the user asked for. A name that neither part knows is an error (R3). */
export function resolveHyperparameters(
  name: string,
  kind: ModelKind,
  ...layers: Hyperparameters[]
): ResolvedHyperparameters {
  const model: Record<string, unknown> = { ...kind.defaults };
  const training: Record<string, unknown> = { ...kind.training };
  for (const [key, value] of layers.flatMap((layer) => Object.entries(layer))) {
    const part = [model, training].find((candidate) => Object.hasOwn(candidate, key));
    const known = () => [...Object.keys(model), ...Object.keys(training)].join(", ");
    check(part !== undefined, () => `${name} has no hyperparameter "${key}"; it has ${known()}`);
    part[key] = typeof value === "string" ? parseAs(part[key], value, `${name}: ${key}`) : value;
  }
  return { model, training };
}

/** Reads a text as a value of the same type as `example`, such as "64,64" for a list of widths. */
function parseAs(example: unknown, text: string, where: string): unknown {
  if (typeof example === "string") return text;
  if (typeof example === "boolean") {
    check(text === "true" || text === "false", () => `${where} must be true or false, got "${text}"`);
    return text === "true";
  }
  if (typeof example === "number") return parseNumber(text, where);
  if (Array.isArray(example)) return text === "" ? [] : text.split(",").map((part) => parseNumber(part, where));
  throw new UserError(`${where} cannot be set from a text`);
}

function parseNumber(text: string, where: string): number {
  const value = Number(text);
  check(text.trim() !== "" && Number.isFinite(value), () => `${where} must be a number, got "${text}"`);
  return value;
}
