import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");

/** A project of a user in a temporary folder: copies of `folders`, and this package installed as it would be published. */
export function stageProject(...folders: string[]): { folder: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), "rgnn-project-"));
  for (const from of folders) cpSync(join(root, from), folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "module" }\n');
  const packages = join(folder, "node_modules");
  const installed = join(packages, "rgnn");
  mkdirSync(installed, { recursive: true });
  const { files } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { files: string[] };
  for (const file of ["package.json", ...files]) cpSync(join(root, file), join(installed, file), { recursive: true });
  for (const name of readdirSync(join(root, "node_modules"))) {
    if (!name.startsWith(".")) symlinkSync(join(root, "node_modules", name), join(packages, name));
  }
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
