import { shaders } from "../shaders.ts";
import { type Binding, type Declaration, parseShader, type ShaderFile } from "./shader-file.ts";

export type ShaderName = keyof typeof shaders;

/** Values of constants: numbers become `const NAME = …u`, strings (types) `alias NAME = …`. */
export type Constants = Readonly<Record<string, number | string>>;

/** Files and constants of a kernel. Constants become part of the text: array sizes and types depend on them. */
export interface KernelSource {
  /** File with the entry point; files that it uses are added automatically. */
  readonly shader: ShaderName;
  /** Files that provide what `shader` requires. */
  readonly with?: readonly ShaderName[];
  /** Entry point. Default `main`. */
  readonly entry?: string;
  readonly constants?: Constants;
}

/** A kernel as text, and its arguments in the order in which they are bound. */
export interface Shader {
  readonly entry: string;
  readonly bindings: readonly Binding[];
  readonly params: readonly Declaration[];
  readonly head: string;
  readonly body: string;
}

/** Joins the files of a kernel. If a file requires something that no other provides, the error names both. */
export function assemble(
  { shader, with: parts = [], entry = "main", constants = {} }: KernelSource,
  subgroups: boolean,
  library: Readonly<Record<string, string>> = shaders,
): Shader {
  const files = collect([shader, ...parts], library);
  checkConstants(shader, files, constants);
  checkRequirements(files, constants);
  const enabled = new Set([...(subgroups ? ["subgroups"] : []), ...files.flatMap(({ enables }) => enables)]);
  return {
    entry,
    bindings: merge(files.map((file) => [file.name, file.bindings])),
    params: merge(files.map((file) => [file.name, file.params])),
    head: [...enabled].map(enableLine).join("") + Object.entries(constants).map(constantLine).join(""),
    body: files.map(({ text }) => text).join("\n"),
  };
}

/**
 * The text for launches in which argument i is the same buffer as argument `same[i]`. A written buffer must not be
 * bound twice, so uses of the name of argument i are replaced by the name of argument `same[i]`.
 */
export function shaderCode({ head, body, bindings, params }: Shader, same?: readonly number[]): string {
  let code = body;
  const lines: string[] = [];
  if (params.length > 0) {
    lines.push(`struct Params { ${params.map(({ name, type }) => `${name}: ${type}`).join(", ")} }`);
    lines.push("@group(0) @binding(0) var<uniform> params: Params;");
  }
  for (const [i, { name, type, writable }] of bindings.entries()) {
    const target = same ? same[i] : i;
    if (target === i) {
      const access = writable ? "read_write" : "read";
      lines.push(`@group(0) @binding(${i + 1}) var<storage, ${access}> ${name}: array<${type}>;`);
    } else {
      code = code.replace(new RegExp(`(?<![.\\w])${name}(?=\\[)`, "g"), bindings[target].name);
    }
  }
  return `${head}${lines.join("\n")}\n${code}`;
}

/** The named files and all files that they use, each once. */
function collect(names: readonly string[], library: Readonly<Record<string, string>>): ShaderFile[] {
  const found = new Map<string, ShaderFile>();
  const visit = (name: string, from: string) => {
    if (found.has(name)) return;
    const text = library[name];
    if (text === undefined) throw new Error(`${from}: there is no ${name}.wgsl`);
    const file = parseShader(name, text);
    found.set(name, file);
    for (const used of file.uses) visit(used, `${name}.wgsl uses ${used}`);
  };
  for (const name of names) visit(name, names[0]);
  return [...found.values()];
}

function checkConstants(shader: string, files: readonly ShaderFile[], constants: Constants): void {
  const wanted = new Set<string>();
  for (const file of files) {
    for (const name of file.constants) {
      if (!(name in constants)) throw new Error(`${shader}: ${file.name}.wgsl needs a value of the constant ${name}`);
      wanted.add(name);
    }
  }
  for (const name in constants) {
    if (!wanted.has(name)) throw new Error(`${shader}: none of its files has a constant ${name}`);
  }
}

function checkRequirements(files: readonly ShaderFile[], constants: Constants): void {
  for (const file of files) {
    for (const name of file.requires) {
      if (name in constants || files.some((other) => other !== file && other.provides.has(name))) continue;
      const others = files.filter((other) => other !== file).map((other) => `${other.name}.wgsl`);
      throw new Error(
        `${file.name}.wgsl requires ${name}, which none of ${others.join(", ") || "no other file"} provides`,
      );
    }
  }
}

/** One declaration per name. Several files may declare the same buffer; it is writable if one of them writes it. */
function merge<D extends Declaration & { readonly writable?: boolean }>(
  declared: readonly (readonly [file: string, declarations: readonly D[]])[],
): D[] {
  const merged = new Map<string, D>();
  for (const [file, declarations] of declared) {
    for (const next of declarations) {
      const known = merged.get(next.name);
      if (known && known.type !== next.type) {
        throw new Error(
          `${file}.wgsl: ${next.name} is ${next.type} here and ${known.type} in a file it is assembled with`,
        );
      }
      if (!known || next.writable) merged.set(next.name, next);
    }
  }
  return [...merged.values()];
}

/** Switches off checks of uniformity per extension: kernels ensure it where the compiler cannot prove it. */
const UNCHECKED: Readonly<Record<string, string>> = {
  subgroups: "diagnostic(off, subgroup_uniformity);\n",
  chromium_experimental_subgroup_matrix: "diagnostic(off, chromium.subgroup_matrix_uniformity);\n",
};

function enableLine(extension: string): string {
  return `enable ${extension};\n${UNCHECKED[extension] ?? ""}`;
}

function constantLine([name, value]: [string, number | string]): string {
  return typeof value === "number" ? `const ${name} = ${value}u;\n` : `alias ${name} = ${value};\n`;
}
