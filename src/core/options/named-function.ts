import type { Option } from "./option.ts";

/**
 * An option whose value is a function. The command line and files refer to it by a name; a program passes the function
 * itself, which may be one of its own.
 */
// biome-ignore lint/suspicious/noExplicitAny: any function, whatever it takes
export function namedFunction<F extends (...args: any[]) => unknown>(details: {
  readonly names: readonly string[];
  /** Throws for an unknown name. It may know more names than `names` lists. */
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
