import { globalAttacks } from "../../attack/global-attacks.ts";
import { localAttacks } from "../../attack/local/local-attacks.ts";
import { type Description, fromJson, type Json } from "../../core/options/index.ts";

/** Descriptions of an attack's options. Attacks on the whole graph and on single nodes have different names. */
export function optionsOf(name: string): Description {
  return Object.hasOwn(globalAttacks, name) ? globalAttacks[name].options : localAttacks[name].options;
}

/** Converts options from a description to the values that the attack takes. */
export function attackOptions(name: string, options: Readonly<Record<string, Json>>): Record<string, unknown> {
  const description = optionsOf(name);
  const values = Object.entries(options).map(([option, json]) => [option, fromJson(description[option], json)]);
  return Object.fromEntries(values);
}
