import type { Json, Option } from "./option.ts";

/** Reads a value that {@link Option.toJson} wrote; undefined if the option does not accept it. */
export function fromJson<T>(option: Option<T>, json: Json): T | undefined {
  if (option.accepts(json)) return json as T;
  if (typeof json !== "string") return undefined;
  const value = option.parse(json);
  return option.accepts(value) ? value : undefined;
}
