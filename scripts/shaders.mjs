// Writes src/backend/webgpu/shaders.ts: the text of every .wgsl file in and below that folder, so that Node, browsers and
// bundlers load the shaders like any other module. Of the comments it keeps only the lists at the top, which say what a
// file needs: pages download this text. The result is not kept in git.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = join(dirname(fileURLToPath(import.meta.url)), "../src/backend/webgpu");
const out = join(folder, "shaders.ts");

const paths = readdirSync(folder, { recursive: true }).filter((path) => path.endsWith(".wgsl"));
const byName = new Map();
for (const path of paths) {
  const name = basename(path, ".wgsl"); // files name each other without their folder
  if (byName.has(name)) throw new Error(`shaders: ${path} and ${byName.get(name)} have the same name; rename one`);
  byName.set(name, path);
}
const entries = [...byName.keys()].sort().map((name) => {
  const text = withoutProse(readFileSync(join(folder, byName.get(name)), "utf8"));
  return `  ${JSON.stringify(name)}: ${JSON.stringify(text)},\n`;
});
const text = `// Generated from the .wgsl files by scripts/shaders.mjs.\nexport const shaders = {\n${entries.join("")}} as const;\n`;
if (!existsSync(out) || readFileSync(out, "utf8") !== text) writeFileSync(out, text);

/** Lists such as `// reads: X f32` in the first comment are read by `device/shader-file.ts`. */
function withoutProse(text) {
  const [head] = text.match(/^(?:\/\/.*\n)*/);
  const lists = head.split("\n").filter((line) => /^\/\/ [a-z]+: /.test(line));
  const code = text
    .slice(head.length)
    .split("\n")
    .map((line) => line.replace(/\s*\/\/.*$/, ""));
  return `${[...lists, "", ...code.filter((line) => line !== "")].join("\n")}\n`;
}
