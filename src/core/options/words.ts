import type { Option } from "./option.ts";

/** One of several given texts. */
export function choice<const Name extends string>(details: {
  readonly of: readonly Name[];
  readonly default: NoInfer<Name>;
  readonly help: string;
}): Option<Name> {
  const isName = (value: unknown): value is Name => (details.of as readonly unknown[]).includes(value);
  return {
    default: details.default,
    help: details.help,
    must: details.of.join(" or "),
    accepts: isName,
    parse: (text) => (isName(text) ? text : undefined),
    toJson: (value) => value,
    schema: { type: "string", enum: details.of },
  };
}

/** True or false. */
export function boolean(details: { readonly default: boolean; readonly help: string }): Option<boolean> {
  return {
    default: details.default,
    help: details.help,
    must: "true or false",
    accepts: (value) => typeof value === "boolean",
    parse: (text) => (text === "true" ? true : text === "false" ? false : undefined),
    toJson: (value) => value,
    schema: { type: "boolean" },
  };
}

/** Any text that is not empty. */
export function text(details: { readonly default: string; readonly help: string }): Option<string> {
  const isText = (value: unknown): value is string => typeof value === "string" && value !== "";
  return {
    default: details.default,
    help: details.help,
    must: "a text that is not empty",
    accepts: isText,
    parse: (given) => (isText(given) ? given : undefined),
    toJson: (value) => value,
    schema: { type: "string", minLength: 1 },
  };
}
