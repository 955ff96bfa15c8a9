import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";

const sources = pathToFileURL(join(import.meta.dirname, "..", "..", "src")).href;

/** What the comments of a program say that it prints: `// prints 399: one edge in twenty` stands for the line 399. */
export function promisedLines(program: string): string[] {
  return Array.from(program.matchAll(/\/\/ prints ([^:\n]+)/g), ([, text]) => text!);
}

/** Runs a program that imports from `rgnn` in a folder, with the sources of this package; the lines that it prints. */
export async function printedBy(program: string, folder: string): Promise<string[]> {
  const file = join(folder, "program.ts");
  writeFileSync(
    file,
    program.replaceAll(/from "rgnn(\/\w+)?"/g, (_, entry = "") => `from "${sources}${entry}/index.ts"`),
  );
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ["--no-warnings", file], { cwd: folder });
  if (stderr !== "") throw new Error(stderr);
  return stdout.split("\n").filter((line) => line !== "");
}
