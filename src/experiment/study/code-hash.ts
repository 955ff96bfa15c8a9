import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";

/** What code can change: the weights of a trained model, or what an attack finds and measures. */
export type CodeUse = "training" | "attack";

/**
 * The parts of the sources that a trained model depends on. Readers and splits are not among them: the graph and the split that they
 * make are identified by their content.
 */
const TRAINING = [
  "core",
  "graph",
  "backend",
  "ppr",
  "tensor",
  "nn",
  "defense",
  "experiment/build-model.ts",
  "experiment/poisoned-model.ts",
];
const PARTS: Readonly<Record<CodeUse, readonly string[]>> = {
  training: TRAINING,
  attack: [
    ...TRAINING,
    "attack",
    "experiment/measure",
    "experiment/node-workers",
    "experiment/agreement.ts",
    "experiment/attack-in-turn.ts",
    "experiment/attack-nodes.ts",
    "experiment/run-attack.ts",
    "experiment/select-nodes.ts",
  ],
};

/** Written by the build, because a package holds the compiled code and not the sources. */
export const CODE_HASH_FILE = "code-hash.json";

const root = join(import.meta.dirname, "..", ".."); // src or dist
const known = new Map<CodeUse, string>();

/** Names the code that a result depends on: two results with equal names were made by equal code. */
export function codeHash(use: CodeUse): string {
  let hash = known.get(use);
  if (hash === undefined) {
    const built = join(root, CODE_HASH_FILE);
    hash = existsSync(built) ? (JSON.parse(readFileSync(built, "utf8")) as CodeHashes)[use] : hashSources(root, use);
    known.set(use, hash);
  }
  return hash;
}

/** What {@link CODE_HASH_FILE} holds. */
export type CodeHashes = Readonly<Record<CodeUse, string>>;

/** The same from the sources themselves, in the folder `source`. */
export function hashSources(source: string, use: CodeUse): string {
  const hash = createHash("sha256");
  for (const file of PARTS[use].flatMap((part) => sourceFiles(source, part))) {
    hash
      .update(`${file}\n`)
      .update(readFileSync(join(source, file)))
      .update("\n");
  }
  return hash.digest("hex").slice(0, 16);
}

function sourceFiles(source: string, part: string): string[] {
  if (part.endsWith(".ts")) return [part];
  return readdirSync(join(source, part), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && isSource(entry.name))
    .map(({ parentPath, name }) => relative(source, join(parentPath, name)).replaceAll(sep, "/"))
    .sort();
}

/** Tests change no result, and `shaders.ts` is made from the .wgsl files, which count themselves. */
function isSource(name: string): boolean {
  return /\.(ts|wgsl|json)$/.test(name) && !name.endsWith(".test.ts") && name !== "shaders.ts";
}
