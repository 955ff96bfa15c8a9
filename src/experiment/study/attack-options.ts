import { globalAttacks } from "../../attack/global-attacks.ts";
import { localAttacks } from "../../attack/local/local-attacks.ts";
import { type Description, fromJson, type Json } from "../../core/options/index.ts";

/** The options of an attack on the whole graph or on single nodes, whose names differ. */
export function optionsOf(name: string): Description {
  return Object.hasOwn(globalAttacks, name) ? globalAttacks[name].options : localAttacks[name].options;
}

/** Options of an attack as it takes them, from those of a description. */
export function attackOptions(name: string, options: Readonly<Record<string, Json>>): Record<string, unknown> {
  const description = optionsOf(name);
  const values = Object.entries(options).map(([option, json]) => [option, fromJson(description[option], json)]);
  return Object.fromEntries(values);
}
