import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { cpus, platform, release } from "node:os";
import { join } from "node:path";
import type { Json } from "../../core/options/index.ts";

const root = join(import.meta.dirname, "..", "..", ".."); // of the package, from src or dist

/** What is noted with every result of this process: where, when and by which version it was measured. */
export function runFacts(): Readonly<Record<string, Json>> {
  const all = cpus();
  return {
    version: packageVersion(),
    commit: commitOf(),
    node: process.versions.node,
    system: `${platform()} ${release()}`,
    cpu: all[0]?.model.trim() ?? "unknown",
    cores: all.length,
    began: new Date().toISOString(),
  };
}

/** The version of this package. */
export function packageVersion(): string {
  return (JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string }).version;
}

/** The commit of a clone; null where the package was installed. */
function commitOf(): string | null {
  const { status, stdout } = spawnSync("git", ["-C", root, "rev-parse", "--short=12", "HEAD"], { encoding: "utf8" });
  return status === 0 ? stdout.trim() : null;
}
