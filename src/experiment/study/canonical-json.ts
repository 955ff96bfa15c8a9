import { createHash } from "node:crypto";
import type { Json } from "../../core/options/index.ts";

/** JSON in which equal values are equal texts: keys are sorted, nothing is indented. */
export function canonicalJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const fields = Object.entries(value as Readonly<Record<string, Json>>).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([key, field]) => `${JSON.stringify(key)}:${canonicalJson(field)}`).join()}}`;
}

/** Names a value by its content: the first 32 hexadecimal digits of the sha256 of its canonical JSON. */
export function contentId(value: Json): string {
  return createHash("sha256").update(canonicalJson(value)).digest("hex").slice(0, 32);
}
