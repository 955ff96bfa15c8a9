import type { Description, Json, Schema } from "./option.ts";

/** A JSON schema of described options, for experiment files and for editors that check them. All of them may be left out. */
export function schemaOf(description: Description): Schema {
  const properties: Record<string, Json> = {};
  for (const [name, option] of Object.entries(description)) {
    properties[name] = { ...option.schema, default: option.toJson(option.default), description: option.help };
  }
  return { type: "object", properties, additionalProperties: false };
}
