import { check } from "../errors.ts";
import { defaultsOf } from "./describe-options.ts";
import type { Description, OptionsOf } from "./option.ts";

/**
 * The described options with some values replaced. A name that is not described is an error that lists those that are (rule R3),
 * and so is a value that its option does not accept. A value that is undefined counts as left out.
 */
export function resolveOptions<D extends Description>(
  owner: string,
  description: D,
  given: Partial<OptionsOf<D>>,
): OptionsOf<D> {
  const replaced = Object.entries(given).filter(([, value]) => value !== undefined);
  for (const [name, value] of replaced) {
    checkKnown(owner, description, name);
    checkValue(owner, description, name, value);
  }
  return { ...defaultsOf(description), ...Object.fromEntries(replaced) };
}

/** Throws unless `values` has an acceptable value for every described option; what else it has is not looked at. */
export function checkOptions(owner: string, description: Description, values: object): void {
  for (const name of Object.keys(description)) {
    checkValue(owner, description, name, (values as Readonly<Record<string, unknown>>)[name]);
  }
}

/** The values that texts such as those of `--option name=text` stand for. */
export function parseOptions<D extends Description>(
  owner: string,
  description: D,
  texts: Readonly<Record<string, string>>,
): Partial<OptionsOf<D>> {
  const values: Record<string, unknown> = {};
  for (const [name, text] of Object.entries(texts)) {
    checkKnown(owner, description, name);
    const value = description[name].parse(text);
    check(value !== undefined, () => `${owner}: ${name} must be ${description[name].must}, got "${text}"`);
    checkValue(owner, description, name, value);
    values[name] = value;
  }
  return values as Partial<OptionsOf<D>>;
}

/** Throws unless `name` is described; `what` is the word for an option. */
export function checkKnown(owner: string, description: Description, name: string, what = "option"): void {
  check(
    Object.hasOwn(description, name),
    () => `${owner}: unknown ${what} "${name}"; known are ${Object.keys(description).join(", ")}`,
  );
}

function checkValue(owner: string, description: Description, name: string, value: unknown): void {
  const { accepts, must } = description[name];
  check(accepts(value), () => `${owner}: ${name} must be ${must}, got ${shown(value)}`);
}

function shown(value: unknown): string {
  return typeof value === "string" ? `"${value}"` : String(value);
}
