import type { Description, Json, Option, OptionsOf } from "./option.ts";

/**
 * Declares options in one place. Their types ({@link OptionsOf}), defaults, checks, help texts and the schema of
 * experiment files all follow from this description.
 *
 * @example
 * export const sgcOptions = describeOptions({ steps: wholeNumber({ from: 0, default: 2, help: "propagation steps" }) });
 * export type SgcConfig = OptionsOf<typeof sgcOptions>;
 */
export function describeOptions<const D extends Description>(description: D): D {
  for (const [name, option] of Object.entries(description)) {
    if (!option.accepts(option.default)) {
      throw new Error(`the default of ${name} must be ${option.must}, but is ${String(option.default)}`);
    }
  }
  return Object.freeze(description);
}

/** The same options with other defaults. */
export function withDefaults<D extends Description>(description: D, defaults: Partial<OptionsOf<D>>): D {
  const changed = Object.entries(description).map(([name, option]) => [
    name,
    Object.hasOwn(defaults, name) ? { ...option, default: defaults[name] } : option,
  ]);
  return describeOptions(Object.fromEntries(changed) as D);
}

/** The default of every option. */
export function defaultsOf<D extends Description>(description: D): OptionsOf<D> {
  const defaults = Object.entries(description).map(([name, option]) => [name, option.default]);
  return Object.freeze(Object.fromEntries(defaults)) as OptionsOf<D>;
}

/** Formats a value as text that {@link Option.parse} reads back. */
export function textOf<T>(option: Option<T>, value: T): string {
  const json: Json = option.toJson(value);
  return Array.isArray(json) ? json.join(",") : String(json);
}
