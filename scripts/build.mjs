// Builds dist/: the kernels to WebAssembly (with and without relaxed SIMD), the shaders to a module, the TypeScript to
// JavaScript; the hashes of the code, by which studies tell which code made a result; and the pages of the dashboard.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";

const assembly = "src/backend/wasm/assembly";
const wasmOut = "dist/backend/wasm";

buildKernels("kernels.wasm", "strict-simd");
buildKernels("kernels-relaxed.wasm", "relaxed-simd");
run("shaders", "scripts/shaders.mjs", []);
removeStale("dist");
run("tsc", "node_modules/typescript/bin/tsc", ["-p", "tsconfig.build.json"]);
run("code hash", "scripts/code-hash.ts", []);
run("dashboard", "scripts/web.ts", ["dashboard"]);

function buildKernels(name, target) {
  const out = `${wasmOut}/${name}`;
  if (existsSync(out) && newest(assembly) < statSync(out).mtimeMs) return;
  mkdirSync(wasmOut, { recursive: true });
  run("asc", "node_modules/assemblyscript/bin/asc.js", [
    `${assembly}/index.ts`,
    ...["--config", `${assembly}/asconfig.json`, "--target", target, "-o", out],
  ]);
}

/** Removes the earlier build, or files of moved sources would be published too. Kernels take long and are kept. */
function removeStale(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  for (const { name, parentPath } of files) if (!name.endsWith(".wasm")) rmSync(join(parentPath, name));
}

function newest(folder) {
  const files = readdirSync(folder, { recursive: true });
  return Math.max(...files.map((file) => statSync(join(folder, file)).mtimeMs));
}

function run(what, script, args) {
  const { status } = spawnSync(process.execPath, [script, ...args], { stdio: "inherit" });
  if (status !== 0) {
    console.error(`build: ${what} failed`);
    process.exit(status ?? 1);
  }
}
