import type { Json, Option } from "./option.ts";

/** The value that JSON stands for, as {@link Option.toJson} writes it; undefined if it stands for none. */
export function fromJson<T>(option: Option<T>, json: Json): T | undefined {
  if (option.accepts(json)) return json as T;
  if (typeof json !== "string") return undefined;
  const value = option.parse(json);
  return option.accepts(value) ? value : undefined;
}
