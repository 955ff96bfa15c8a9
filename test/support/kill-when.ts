import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "./temporary-folder.ts";

/**
 * Runs a module in a process of its own and kills it, as `kill -9` does, as soon as `isTime` says so. True if it was killed, false if
 * it had ended by itself.
 */
export async function killWhen(script: string, isTime: () => boolean): Promise<boolean> {
  const file = join(temporaryFolder(), "child.mjs");
  writeFileSync(file, script);
  const child = spawn(process.execPath, [file], { stdio: ["ignore", "ignore", "pipe"] });
  let errors = "";
  child.stderr.on("data", (text) => {
    errors += text;
  });
  const watching = setInterval(() => {
    if (isTime()) child.kill("SIGKILL");
  }, 2);
  const signal = await new Promise((resolve) => child.on("close", (_, by) => resolve(by)));
  clearInterval(watching);
  if (signal === null && child.exitCode !== 0) throw new Error(errors);
  return signal === "SIGKILL";
}

/** The address of a file of the project, for an import in such a module. */
export function sourceUrl(path: string): string {
  return new URL(`../../${path}`, import.meta.url).href;
}
