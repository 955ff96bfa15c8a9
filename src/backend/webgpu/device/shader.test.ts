import { describe, expect, test } from "vitest";
import { shaders } from "../shaders.ts";
import { assemble, type KernelSource, shaderCode } from "./shader.ts";
import { parseShader } from "./shader-file.ts";

/** Files of their own, beside those of the backend. */
const LIBRARY = {
  double: `// out = 2 X, as another file says.
// uses: place
// requires: doubled(x)
// constants: T
// params: length u32
// writes: out T
// reads: X T

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) local: u32) {
  if (placeOf(local) < params.length) { out[local] = doubled(X[local]); }
}
`,
  place: `// Where a thread works.
// params: first u32

fn placeOf(local: u32) -> u32 { return params.first + local; }
`,
  adding: `// constants: T

fn doubled(x: T) -> T { return x + x; }
`,
  "in-place": `// writes: X T
// constants: T

fn doubled(x: T) -> T { X[0] = x; return x; }
`,
  integers: `// reads: X u32

fn doubled(x: u32) -> u32 { return x; }
`,
};

function assembled(source: Partial<Record<keyof KernelSource, unknown>>) {
  const whole = { shader: "double", with: ["adding"], constants: { T: "f32" }, ...source };
  return assemble(whole as unknown as KernelSource, false, LIBRARY);
}

describe("a kernel", () => {
  test("is made of its file, the files it uses, and those that provide what they require", () => {
    const { bindings, params, body } = assembled({});
    expect(bindings).toEqual([
      { name: "out", type: "T", writable: true },
      { name: "X", type: "T", writable: false },
    ]);
    expect(params.map(({ name }) => name)).toEqual(["length", "first"]);
    for (const name of ["main", "placeOf", "doubled"]) expect(body.split(`fn ${name}(`)).toHaveLength(2);
  });
  test("declares its constants, parameters and buffers", () => {
    expect(shaderCode(assembled({})).split("\n").slice(0, 5)).toEqual([
      "alias T = f32;",
      "struct Params { length: u32, first: u32 }",
      "@group(0) @binding(0) var<uniform> params: Params;",
      "@group(0) @binding(1) var<storage, read_write> out: array<T>;",
      "@group(0) @binding(2) var<storage, read> X: array<T>;",
    ]);
  });
  test("writes a buffer that one of its files writes and another reads", () => {
    expect(assembled({ with: ["in-place"] }).bindings[1]).toEqual({ name: "X", type: "T", writable: true });
  });
  test("has one name for an argument that is the buffer of another", () => {
    const code = shaderCode(assembled({}), [0, 0]);
    expect(code).toContain("out[local] = doubled(out[local]);");
    expect(code).not.toMatch(/var<storage, read> X/);
  });
  test("turns subgroups on where the device has them", () => {
    expect(assemble({ shader: "fill", constants: { T: "u32" } }, true).head).toMatch(/^enable subgroups;/);
  });
});

describe("a kernel that does not fit together is refused, by the name of the file and of", () => {
  test("what it requires and nobody provides", () => {
    expect(() => assembled({ with: [] })).toThrow("double.wgsl requires doubled, which none of place.wgsl provides");
  });
  test("a constant without a value", () => {
    expect(() => assembled({ constants: {} })).toThrow("double: double.wgsl needs a value of the constant T");
  });
  test("a constant that it does not have", () => {
    expect(() => assembled({ constants: { T: "f32", LANES: 4 } })).toThrow(
      "double: none of its files has a constant LANES",
    );
  });
  test("a file that does not exist", () => {
    expect(() => assembled({ with: ["adding", "subtracting"] })).toThrow("double: there is no subtracting.wgsl");
  });
  test("a buffer with two types", () => {
    expect(() => assembled({ with: ["integers"] })).toThrow(
      "integers.wgsl: X is u32 here and T in a file it is assembled with",
    );
  });
  test("a declaration that is not a name and a type", () => {
    expect(() => parseShader("odd", "// reads: X\n")).toThrow('odd.wgsl: "X" is not a name and a type');
  });
});

describe("the first comment of a WGSL file", () => {
  test("lists what the file needs, in as many lines as it takes", () => {
    const file = parseShader(
      "sums",
      "// Sums.\n// requires: termOf(row, e), store(row)\n// requires: T2\n// uses: a, b\n\nfn f() {}\n",
    );
    expect(file.requires).toEqual(["termOf", "store", "T2"]);
    expect(file.uses).toEqual(["a", "b"]);
    expect([...file.provides]).toEqual(["f"]);
  });
  test("ends where code begins: later comments are prose", () => {
    expect(parseShader("sums", "// Sums.\n\nfn f() {}\n// constants: they stay in registers\n").constants).toEqual([]);
  });
});

/** Everything that WGSL itself has and the kernels use. */
const WGSL = new Set(
  (
    "if for while switch loop return fn array vec2 vec3 vec4 vec2f vec4f vec2u vec3u vec4u vec4i mat2x4f f32 u32 i32 bool atomic " +
    "bitcast select min max abs sign clamp saturate mix fma dot sqrt inverseSqrt exp log round any all countOneBits " +
    "pack2x16float unpack2x16float firstLeadingBit firstTrailingBit atomicAdd atomicSub atomicMax atomicOr atomicLoad atomicStore atomicExchange atomicCompareExchangeWeak " +
    "workgroupBarrier storageBarrier workgroupUniformLoad subgroupShuffleXor workgroup_size builtin " +
    "f16 quantizeToF16 subgroupMatrixLoad subgroupMatrixMultiplyAccumulate subgroupMatrixStore"
  ).split(" "),
);

describe("every WGSL file", () => {
  const names = Object.keys(shaders) as (keyof typeof shaders)[];
  const files = new Map(names.map((name) => [name as string, parseShader(name, shaders[name])]));

  /** What a file has by itself and by the files that it uses. */
  const reach = (name: string, seen = new Set<string>()): Set<string> => {
    if (seen.has(name)) return new Set();
    seen.add(name);
    const file = files.get(name)!;
    return new Set([...file.provides, ...file.uses.flatMap((used) => [...reach(used, seen)])]);
  };

  test.each(names)("%s.wgsl lists what it calls, and the buffers, parameters and constants that it uses", (name) => {
    const file = files.get(name)!;
    const code = file.text.replace(/\/\/.*/g, "");
    const known = new Set([...reach(name), ...file.requires, ...file.constants, ...WGSL]);
    const called = Array.from(code.matchAll(/(?<![.\w])([a-zA-Z]\w*)(?:<[^<>()]*>)?\(/g), (match) => match[1]);
    expect(called.filter((call) => !known.has(call))).toEqual([]);
    const constants = Array.from(code.matchAll(/(?<![.\w])([A-Z][A-Z_0-9]+|T|I)\b/g), (match) => match[1]);
    const own = new Set(Array.from(code.matchAll(/\b(?:let|var) (\w+)/g), (match) => match[1]));
    for (const { name: bound } of file.bindings) own.add(bound);
    expect(constants.filter((constant) => !known.has(constant) && !own.has(constant))).toEqual([]);
    const unused = file.bindings.filter((binding) => !new RegExp(`(?<![.\\w])${binding.name}\\[`).test(code));
    expect(unused.map((binding) => binding.name)).toEqual([]);
    const read = new Set(Array.from(code.matchAll(/\bparams\.(\w+)/g), (match) => match[1]));
    expect(new Set(file.params.map((param) => param.name))).toEqual(read);
  });
});
