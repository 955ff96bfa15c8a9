import type { Command } from "commander";
import { globalAttacks } from "../attack/global-attacks.ts";
import { localAttacks } from "../attack/local/local-attacks.ts";
import { lookup } from "../core/errors.ts";
import { schemaOf } from "../core/options/index.ts";
import { optionTable } from "./option-table.ts";
import { type Assignments, allowOnly } from "./options.ts";

/** Attacks on all nodes at once, then those on single nodes, by name. */
export const attacks = { ...globalAttacks, ...localAttacks };

interface AttackFlags {
  readonly attack: string;
  readonly option: Assignments;
  readonly json?: boolean;
}

/** What `--attack list` or `--attack prbcd --option list` asks to be told; null if the user asked for neither. */
export function attackList({ attack, option, json }: AttackFlags, command: Command): string | null {
  if (attack === "list") {
    allowOnly(command, "--attack list", ["attack", "json"]);
    const names = Object.keys(attacks);
    return json ? JSON.stringify({ attacks: names.map(schemaFor) }) : names.map(explain).join("\n\n");
  }
  if (option !== "list") return null;
  allowOnly(command, "--option list", ["attack", "option", "json"]);
  lookup(attacks, attack, "attack");
  return json ? JSON.stringify(schemaFor(attack)) : explain(attack);
}

/** An attack with its options and their defaults. */
function explain(name: string): string {
  const { summary, options } = attacks[name];
  return `${name}: ${summary}\n${optionTable(options)}`;
}

/** The same for programs: options as a JSON schema. */
function schemaFor(name: string) {
  const { summary, options } = attacks[name];
  return { name, summary, options: schemaOf(options) };
}
