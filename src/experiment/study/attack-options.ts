import { globalAttacks } from "../../attack/global-attacks.ts";
import { fromJson, type Json } from "../../core/options/index.ts";

/** Options of an attack as it takes them, from those of a description. */
export function attackOptions(name: string, options: Readonly<Record<string, Json>>): Record<string, unknown> {
  const description = globalAttacks[name].options;
  const values = Object.entries(options).map(([option, json]) => [option, fromJson(description[option], json)]);
  return Object.fromEntries(values);
}
