import type { Option } from "./option.ts";

/**
 * A function that has a name where it cannot be written down, on the command line and in files. A program passes the function
 * itself, which may be one of its own.
 */
// biome-ignore lint/suspicious/noExplicitAny: any function, whatever it takes
export function namedFunction<F extends (...args: any[]) => unknown>(details: {
  readonly names: readonly string[];
  /** Throws if it does not know the name; it may know more than `names`. */
  readonly byName: (name: string) => F;
  /** The name of the default. */
  readonly default: string;
  readonly must: string;
  readonly help: string;
}): Option<F> {
  const { names, byName } = details;
  return {
    default: byName(details.default),
    help: details.help,
    must: details.must,
    accepts: (value) => typeof value === "function",
    parse: byName,
    toJson: (value) => names.find((name) => byName(name) === value) ?? "custom",
    schema: { type: "string", examples: names },
  };
}
