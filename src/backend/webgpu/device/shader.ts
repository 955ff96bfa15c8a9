import { shaders } from "../shaders.ts";

export type ShaderName = keyof typeof shaders;

/** What a kernel is made of. Text rather than pipeline constants, because array sizes and types depend on it. */
export interface KernelSource {
  /** Files, concatenated in this order. */
  readonly files: readonly ShaderName[];
  /** Entry point. Default `main`. */
  readonly entry?: string;
  /** Constants: numbers become `const NAME = …u`, texts (types) `alias NAME = …`. */
  readonly defines?: Readonly<Record<string, number | string>>;
}

/** A shader as text, with what its declarations say about its arguments. */
export interface Shader {
  readonly code: string;
  readonly entry: string;
  readonly bindings: readonly Binding[];
  /** Types of the members of `struct Params`, in order. */
  readonly params: readonly string[];
}

export interface Binding {
  readonly name: string;
  readonly writable: boolean;
}

const DECLARATION = /@group\(0\) @binding\((\d+)\) var<storage(, read(_write)?)?> (\w+): .*;\n/g;

export function assemble({ files, entry = "main", defines = {} }: KernelSource, subgroups: boolean): Shader {
  const lines = Object.entries(defines).map(([name, value]) =>
    typeof value === "number" ? `const ${name} = ${value}u;` : `alias ${name} = ${value};`,
  );
  const head = subgroups ? "enable subgroups;\ndiagnostic(off, subgroup_uniformity);\n" : "";
  const code = `${head}${lines.join("\n")}\n${files.map((file) => shaders[file]).join("\n")}`;
  const bindings = [...code.matchAll(DECLARATION)].map((match) => ({
    name: match[4],
    writable: match[3] !== undefined,
  }));
  const declared = code.split("@binding(").length - 2; // but for the parameters
  if (declared !== bindings.length) throw new Error(`${files.at(-1)}.wgsl: a declaration of a buffer is not plain`);
  return { code, entry, bindings, params: paramTypes(code) };
}

/**
 * The shader for a launch in which argument i is the very buffer of argument `same[i]`: a buffer that is written must not
 * be bound twice, so the other name becomes a second name of that argument.
 */
export function withAliases(shader: Shader, same: readonly number[]): Shader {
  let { code } = shader;
  for (const [i, target] of same.entries()) {
    if (i === target) continue;
    const name = shader.bindings[i].name;
    const other = shader.bindings[target].name;
    code = code.replace(DECLARATION, (line, _, __, ___, declared) => (declared === name ? "" : line));
    code = code.replace(new RegExp(`\\b${name}\\b`, "g"), other);
  }
  return { ...shader, code };
}

function paramTypes(code: string): string[] {
  const members = /struct Params \{([^}]*)\}/.exec(code)?.[1] ?? "";
  return [...members.matchAll(/\w+: (u32|i32|f32)/g)].map((match) => match[1]);
}
