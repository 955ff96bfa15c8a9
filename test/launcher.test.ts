import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { broughtNode, isRecent, OLDEST_NODE } from "../bin/brought-node.mjs";
import { temporaryFolder } from "./support/temporary-folder.ts";

const root = join(import.meta.dirname, "..");

/** A clone whose command line says which Node runs it, and ends with the code it is told. */
function clone({ hasNode }: { hasNode: boolean }): string {
  const folder = temporaryFolder();
  cpSync(join(root, "bin"), join(folder, "bin"), { recursive: true });
  mkdirSync(join(folder, "dist", "cli"), { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  const program = "console.log(process.versions.node, ...process.argv.slice(2)); process.exitCode = 3;";
  writeFileSync(join(folder, "dist", "cli", "main.js"), program);
  if (!hasNode) return folder;
  const brought = broughtNode(folder);
  mkdirSync(dirname(brought), { recursive: true });
  symlinkSync(process.execPath, brought);
  return folder;
}

function launch(node: string, folder: string) {
  const args = [join(folder, "bin", "rgnn.mjs"), "data", "a b"];
  const { status, stdout, stderr } = spawnSync(node, args, { encoding: "utf8" });
  return { status, stdout: stdout.trim(), stderr: stderr.trim() };
}

/** A Node on this machine that is too old for us, if there is one. */
const oldNode = (process.env["PATH"] ?? "")
  .split(delimiter)
  .map((folder) => join(folder, "node"))
  .find((node) => {
    const { stdout, status } = spawnSync(node, ["--version"], { encoding: "utf8" });
    return status === 0 && !isRecent(stdout.trim().slice(1));
  });

describe("the launcher", () => {
  test("runs the command line in the Node that started it, if that is new enough", () => {
    expect(launch(process.execPath, clone({ hasNode: false }))).toEqual({
      status: 3,
      stdout: `${process.versions.node} data a b`,
      stderr: "",
    });
  });

  test.runIf(oldNode)("runs it in the Node that npm start has brought, if the other is too old", () => {
    expect(launch(oldNode!, clone({ hasNode: true }))).toEqual({
      status: 3,
      stdout: `${process.versions.node} data a b`,
      stderr: "",
    });
  });

  test.runIf(oldNode)("says what to do if there is none", () => {
    const { status, stderr } = launch(oldNode!, clone({ hasNode: false }));
    expect(status).toBe(2);
    expect(stderr).toMatch(
      /^rgnn needs Node 22\.18 or newer, this is [\d.]+; install a newer one or, in a clone, run npm start once/,
    );
  });

  test("says what to do in a clone that was not built", () => {
    const folder = temporaryFolder();
    cpSync(join(root, "bin"), join(folder, "bin"), { recursive: true });
    const { status, stderr } = launch(process.execPath, folder);
    expect([status, stderr]).toEqual([2, "rgnn is not built yet; run npm start once"]);
  });

  test("agrees with package.json about the oldest Node, and is what package.json calls rgnn", () => {
    const { engines, bin } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    expect([engines.node, bin.rgnn]).toEqual([`>=${OLDEST_NODE.join(".")}`, "bin/rgnn.mjs"]);
    expect([isRecent("22.18.0"), isRecent("24.0.0"), isRecent("22.17.9"), isRecent("20.20.2")]).toEqual([
      ...[true, true, false, false],
    ]);
  });
});
