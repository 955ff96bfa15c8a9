#!/usr/bin/env node
// Starts the command line: here if this Node is new enough, else in the one that `npm start` has brought.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { broughtNode, isRecent, OLDEST_NODE } from "./brought-node.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const main = join(root, "dist", "cli", "main.js");
const node = broughtNode(root);

if (!existsSync(main)) fail("rgnn is not built yet; run npm start once");
else if (isRecent(process.versions.node)) await import(pathToFileURL(main).href);
else if (existsSync(node)) runIn(node);
else {
  const needed = `rgnn needs Node ${OLDEST_NODE.join(".")} or newer, this is ${process.versions.node}`;
  fail(`${needed}; install a newer one or, in a clone, run npm start once, which brings one`);
}

function runIn(path) {
  const child = spawn(path, [main, ...process.argv.slice(2)], { stdio: "inherit" });
  // A terminal sends Ctrl-C to the child as well; sent again it would count as a second one.
  const hasTerminal = process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY;
  process.on("SIGINT", () => hasTerminal || child.kill("SIGINT"));
  process.on("SIGTERM", () => child.kill("SIGTERM"));
  child.on("error", (error) => fail(`rgnn: cannot run ${path}: ${error.message}`));
  child.on("exit", (code, signal) => {
    if (!signal) process.exit(code ?? 1);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

function fail(message) {
  console.error(message);
  process.exitCode = 2;
}
