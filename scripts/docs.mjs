// `npm run docs`: writes the reference of the public interface as web pages into .docs/html, with TypeDoc. TypeDoc needs an older
// TypeScript than the one that compiles the project, so both are installed apart, in .docs/, when they are first needed.
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const tools = join(root, ".docs");
const listed = ["package.json", "package-lock.json", "explain-options.mjs"];

if (listed.some((file) => textOf(join(tools, file)) !== textOf(join(import.meta.dirname, "docs", file)))) install();
const { exports } = JSON.parse(textOf(join(root, "package.json")));
const entries = Object.values(exports).flatMap(({ types }) => (types ? [types.replace("./dist", "src")] : []));
run(process.execPath, [
  join(tools, "node_modules/typedoc/bin/typedoc"),
  ...entries.flatMap((file) => ["--entryPoints", file.replace(".d.ts", ".ts")]),
  ...["--plugin", join(tools, "explain-options.mjs"), "--tsconfig", "tsconfig.build.json", "--name", "rgnn"],
  ...["--excludePrivate", "--excludeInternal", "--disableSources", "--readme", "none"],
  ...["--validation.notExported", "false", "--out", join(tools, "html")], // test/api.test.ts checks what is exported
]);

function install() {
  mkdirSync(tools, { recursive: true });
  for (const file of listed) copyFileSync(join(import.meta.dirname, "docs", file), join(tools, file));
  const npm = process.env.npm_execpath; // the npm that runs this script
  const args = ["ci", "--ignore-scripts", "--no-audit", "--no-fund"];
  if (npm?.endsWith(".js")) run(process.execPath, [npm, ...args], tools);
  else run("npm", args, tools);
}

function textOf(path) {
  return existsSync(path) ? readFileSync(path, "utf8") : null;
}

function run(command, args, cwd = root) {
  const { status, error } = spawnSync(command, args, { cwd, stdio: "inherit" });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}
