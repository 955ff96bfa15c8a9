import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { rgnnHere } from "./rgnn.ts";

const root = join(import.meta.dirname, "..", "..");
const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { scripts: object };

/** What starts other commands, and words of the shell itself. */
const BEFORE = ["npx", "-y", "srun"];
const SHELL = ["for", "done"];
/** Programs that are not ours, of which nothing can be checked here. */
const OTHERS = ["docker", "sbatch", "ssh"];

/** Throws unless a command that is shown, and not run, is one that there is, with options that it has. */
export async function expectKnown(words: readonly string[]): Promise<void> {
  const [name, ...args] = words.slice(words.findIndex((word) => !BEFORE.includes(word)));
  if (SHELL.includes(name!) || OTHERS.includes(name!)) return;
  if (name === "rgnn") return expectOptions(args);
  if (name === "npm") return expect(Object.keys(scripts)).toContain(args[0] === "run" ? args[1] : args[0]);
  expect(existsSync(join(root, "node_modules", ".bin", name!)), `${name} is no program of this project`).toBe(true);
}

async function expectOptions(args: readonly string[]): Promise<void> {
  const path = args.slice(0, ["data", "weights"].includes(args[0]!) ? 2 : 1);
  const { status, stdout } = await rgnnHere([...path, "--help"]);
  expect(status, `rgnn ${path.join(" ")}`).toBe(0);
  for (const flag of args.filter((arg) => arg.startsWith("--"))) expect(stdout).toMatch(new RegExp(`${flag}[ ,\n]`));
}
