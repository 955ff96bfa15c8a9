import { check } from "../errors.ts";
import { defaultsOf } from "./describe-options.ts";
import type { Description, OptionsOf } from "./option.ts";

/**
 * The defaults of the described options, overridden by the values in `given`. An unknown name is an error that lists
 * the known ones (rule R3); a value that its option does not accept is an error, too. A value of undefined counts as
 * left out.
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

/** Throws unless `values` has an acceptable value for every described option. Other properties are ignored. */
export function checkOptions(owner: string, description: Description, values: object): void {
  for (const name of Object.keys(description)) {
    checkValue(owner, description, name, (values as Readonly<Record<string, unknown>>)[name]);
  }
}

/** Parses the values of options from texts, such as those of `--option name=text`. */
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

/** Throws unless `name` is described. `what` is the word for an option in the error message. */
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
