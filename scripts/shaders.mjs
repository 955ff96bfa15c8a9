// Writes src/backend/webgpu/shaders.ts: the text of every .wgsl file beside it, so that Node, browsers and bundlers load
// the shaders like any other module. The result is not kept in git.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = join(dirname(fileURLToPath(import.meta.url)), "../src/backend/webgpu");
const out = join(folder, "shaders.ts");

const entries = readdirSync(folder)
  .filter((file) => file.endsWith(".wgsl"))
  .sort()
  .map(
    (file) =>
      `  ${JSON.stringify(file.slice(0, -".wgsl".length))}: ${JSON.stringify(readFileSync(join(folder, file), "utf8"))},\n`,
  );
const text = `// Generated from the .wgsl files by scripts/shaders.mjs.\nexport const shaders = {\n${entries.join("")}} as const;\n`;
if (!existsSync(out) || readFileSync(out, "utf8") !== text) writeFileSync(out, text);
