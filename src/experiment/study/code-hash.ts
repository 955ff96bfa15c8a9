import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { codeText } from "./code-text.ts";
import { importsAtRunTime } from "./imports-of.ts";

/**
 * What a hash of the code is about: how a model is trained, how it is validated, what an attack finds and measures, or
 * how a model is certified.
 */
export type CodeUse = "training" | "validation" | "attack" | "certificate";

/** The device that code runs on: code for one device changes no result of another. */
export type CodeDevice = "cpu" | "webgpu";

/** The modules where each use starts. All that they import, directly or not, can change its result. */
const BEGINNINGS: Readonly<Record<CodeUse, readonly string[]>> = {
  training: ["experiment/poisoned-model.ts"],
  validation: ["experiment/poisoned-model.ts", "experiment/tune/validator.ts"],
  attack: ["experiment/poisoned-model.ts", "experiment/measure/measurer.ts", "experiment/node-workers/worker.ts"],
  certificate: ["experiment/certify/certify-run.ts", "experiment/certify/worker.ts"],
};

/**
 * The files and folders that count among those modules. Readers and splits do not count: graphs and splits are
 * identified by their content.
 */
const TRAINING = ["core", "graph", "backend", "ppr", "tensor", "nn", "defense", "experiment/poisoned-model.ts"];
const PARTS: Readonly<Record<CodeUse, readonly string[]>> = {
  training: TRAINING,
  validation: [...TRAINING, "experiment/tune/validator.ts"],
  attack: [
    ...TRAINING,
    "attack",
    "experiment/measure",
    "experiment/node-workers",
    "experiment/agreement.ts",
    "experiment/attack-in-turn.ts",
    "experiment/attack-nodes.ts",
    "experiment/copy-weights.ts",
    "experiment/node-attack-choice.ts",
    "experiment/nodes-to-lead.ts",
    "experiment/run-attack.ts",
    "experiment/select-nodes.ts",
  ],
  certificate: [...TRAINING, "certify", "experiment/certify"],
};

/** Kernels are compiled, not imported: their whole folder counts, but only on its device. */
const KERNELS: Readonly<Record<CodeDevice, string>> = { cpu: "backend/wasm", webgpu: "backend/webgpu" };
const USES = Object.keys(BEGINNINGS) as CodeUse[];
const DEVICES = Object.keys(KERNELS) as CodeDevice[];

/** Written by the build, because a package holds the compiled code and not the sources. */
export const CODE_HASH_FILE = "code-hash.json";

/** What {@link CODE_HASH_FILE} holds. */
type CodeHashes = Readonly<Record<CodeUse, Readonly<Record<CodeDevice, string>>>>;

const root = join(import.meta.dirname, "..", ".."); // src or dist
let known: CodeHashes | null = null;

/**
 * Names the code that a result depends on: results with equal names were made by equal code, apart from comments and
 * layout.
 */
export function codeHash(use: CodeUse, device: string): string {
  known ??= readHashes();
  return known[use][device as CodeDevice];
}

/** The names of this code, one for each device. */
export function codeHashes(use: CodeUse): string[] {
  return DEVICES.map((device) => codeHash(use, device));
}

/** The names of all code that measures runs. */
export function measuringCode(): string[] {
  return USES.filter((use) => use !== "training").flatMap(codeHashes);
}

function readHashes(): CodeHashes {
  const built = join(root, CODE_HASH_FILE);
  return existsSync(built) ? (JSON.parse(readFileSync(built, "utf8")) as CodeHashes) : hashAll(root);
}

/** The names of the code in the folder `source`. */
export function hashAll(source: string): CodeHashes {
  const contents = new Map<string, string>();
  const contentOf = (file: string) => {
    if (!contents.has(file)) contents.set(file, contentAt(join(source, file)));
    return contents.get(file)!;
  };
  const hashOn = (use: CodeUse) => (device: CodeDevice) => hashSources(source, use, device, contentOf);
  return forEach(USES, (use) => forEach(DEVICES, hashOn(use)));
}

function hashSources(source: string, use: CodeUse, device: CodeDevice, contentOf: (file: string) => string): string {
  const isKernel = (file: string) => DEVICES.some((any) => isIn(KERNELS[any], file));
  const isOthers = (file: string) => DEVICES.some((any) => any !== device && isIn(KERNELS[any], file));
  const reached = reachedModules(source, BEGINNINGS[use], isOthers).filter(
    (file) => PARTS[use].some((part) => isIn(part, file)) && !isKernel(file),
  );
  const hash = createHash("sha256");
  for (const file of [...reached, ...filesIn(source, KERNELS[device])].sort()) {
    hash.update(`${file}\n${contentOf(file)}\n`);
  }
  return hash.digest("hex").slice(0, 16);
}

/** What is hashed of a file. Comments in shaders count: they say which files are combined into one program. */
function contentAt(path: string): string {
  const text = readFileSync(path, "utf8");
  return path.endsWith(".ts") ? codeText(text) : text;
}

function forEach<K extends string, V>(keys: readonly K[], make: (key: K) => V): Record<K, V> {
  return Object.fromEntries(keys.map((key) => [key, make(key)])) as Record<K, V>;
}

function isIn(part: string, file: string): boolean {
  return file === part || file.startsWith(`${part}/`);
}

/**
 * These modules and all that they import at run time, as paths below `source`. Imports of modules that are `isEnd` are
 * not followed.
 */
function reachedModules(source: string, beginnings: readonly string[], isEnd: (file: string) => boolean): string[] {
  const reached = new Set(beginnings);
  for (const file of reached) {
    if (!file.endsWith(".ts") || isEnd(file)) continue;
    for (const path of importsAtRunTime(readFileSync(join(source, file), "utf8"))) {
      if (path.startsWith(".")) reached.add(withSlashes(join(dirname(file), path)));
    }
  }
  return [...reached];
}

/**
 * Sources in a folder, without tests, which change no result, and `shaders.ts`, which is generated from .wgsl files.
 */
function filesIn(source: string, folder: string): string[] {
  const isSource = (name: string) =>
    /\.(ts|wgsl|json)$/.test(name) && !name.endsWith(".test.ts") && name !== "shaders.ts";
  return readdirSync(join(source, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && isSource(entry.name))
    .map(({ parentPath, name }) => withSlashes(relative(source, join(parentPath, name))));
}

function withSlashes(path: string): string {
  return path.replaceAll(sep, "/");
}
