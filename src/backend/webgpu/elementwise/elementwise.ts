import { lookup } from "../../../core/errors.ts";
import type { Backend, Unary } from "../../backend.ts";
import { type Gpu, WORKGROUP } from "../device/gpu.ts";
import type { GpuBuffer } from "../device/gpu-buffer.ts";
import type { ShaderName } from "../device/shader.ts";
import { copyIf } from "./copy-if.ts";

/** The number of each function in `unary-functions.wgsl`. */
export const UNARY: Record<Unary, number> = {
  relu: 0,
  leakyRelu: 1,
  elu: 2,
  tanh: 3,
  exp: 4,
  log: 5,
  sqrt: 6,
  rsqrt: 7,
  reciprocal: 8,
  square: 9,
};

/** The number of each operation in `binary.wgsl`. */
const BINARY = { add: 0, sub: 1, mul: 2, div: 3 } as const;

/** Elements per launch: a buffer that is too large for one binding is worked through in pieces. */
export const PIECE = 2 ** 28;

type Elementwise = Pick<
  Backend,
  "fill" | "copy" | "unary" | "unaryGrad" | "binary" | "affine" | "clip" | "adam" | "improve" | "copyIf"
>;

/** Elementwise kernels cover the first `out.length` elements of their inputs, four at a time where nobody minds. */
export function elementwise(gpu: Gpu): Elementwise {
  const launch = (
    shader: ShaderName,
    type: "f32" | "u32",
    args: (GpuBuffer | null)[],
    params: number[],
    { kind = 0 } = {},
  ) => {
    const out = args[0]!;
    const files: ShaderName[] = [
      "threads",
      ...(shader.startsWith("unary") ? (["unary-functions"] as const) : []),
      shader,
    ];
    for (let begin = 0; begin < out.length; begin += PIECE) {
      const length = Math.min(PIECE, out.length - begin);
      const wide = out.hasPadding || length % 4 === 0;
      const T = type === "f32" ? (wide ? "vec4f" : "f32") : wide ? "vec4u" : "u32";
      const kernel = gpu.kernel(`${shader} ${T} ${kind}`, () => ({ files, defines: { T, KIND: kind, HAS_B: kind } }));
      const count = wide ? Math.ceil(length / 4) : length;
      const pieces = args.map((arg) => arg && (arg.length <= PIECE ? arg : arg.window(begin, length)));
      gpu.run(kernel, pieces, [count, ...params], Math.ceil(count / WORKGROUP));
    }
  };
  return {
    fill(out, value) {
      const bits = out.dtype === "i32" ? value : floatBits(value);
      launch("fill", "u32", [gpu.heap.stored("fill", "out", out, out.dtype)], [bits]);
    },
    copy(out, X) {
      const to = gpu.heap.stored("copy", "out", out, out.dtype);
      launch("copy", "u32", [to, gpu.heap.stored("copy", "X", X, out.dtype, out.length)], []);
    },
    unary(kind, out, X) {
      const number = lookup(UNARY, kind, "unary kernel");
      const args = [gpu.floats("unary", "out", out), gpu.floats("unary", "X", X, out.length)];
      launch("unary", "f32", args, [], { kind: number });
    },
    unaryGrad(kind, dX, dY, X, Y) {
      const number = lookup(UNARY, kind, "unary kernel");
      const name = "unaryGrad";
      const { length } = dX;
      const args = [gpu.floats(name, "dX", dX), gpu.floats(name, "dY", dY, length)];
      args.push(gpu.floats(name, "X", X, length), gpu.floats(name, "Y", Y, length));
      launch("unary-grad", "f32", args, [], { kind: number });
    },
    binary(kind, out, A, B) {
      const number = lookup(BINARY, kind, "binary kernel");
      const { length } = out;
      const args = [gpu.floats("binary", "out", out), gpu.floats("binary", "A", A, length)];
      launch("binary", "f32", [...args, gpu.floats("binary", "B", B, length)], [], { kind: number });
    },
    affine(out, a, A, b, B, c) {
      const args = [gpu.floats("affine", "out", out), gpu.floats("affine", "A", A, out.length)];
      const second = gpu.floatsOrNone("affine", "B", B, out.length);
      launch("affine", "f32", [...args, second], [a, b, c], { kind: Number(second !== null) });
    },
    clip(out, X, low, high) {
      launch("clip", "f32", [gpu.floats("clip", "out", out), gpu.floats("clip", "X", X, out.length)], [low, high]);
    },
    adam(parameter, gradient, m, v, { step, learningRate, weightDecay, beta1, beta2, epsilon }) {
      const { length } = parameter;
      const args = [gpu.floats("adam", "parameter", parameter), gpu.floats("adam", "m", m, length)];
      args.push(gpu.floats("adam", "v", v, length), gpu.floats("adam", "gradient", gradient, length));
      const rate = learningRate / (1 - beta1 ** step);
      const root = 1 / Math.sqrt(1 - beta2 ** step);
      launch("adam", "f32", args, [rate, root, weightDecay, beta1, 1 - beta1, beta2, 1 - beta2, epsilon]);
    },
    improve(chosen, best, score) {
      const args = [gpu.floats("improve", "chosen", chosen, 1), gpu.floats("improve", "best", best, 1)];
      const kernel = gpu.kernel("track-best", () => ({ files: ["track-best"] }));
      gpu.run(kernel, [...args, gpu.floats("improve", "score", score, 1)], [0], 1);
    },
    copyIf(copies, chosen) {
      const flag = gpu.floats("copyIf", "chosen", chosen, 1);
      const stored = copies.map(([to, from]) => [
        gpu.heap.stored("copyIf", "to", to, to.dtype),
        gpu.heap.stored("copyIf", "from", from, to.dtype, to.length),
      ]);
      copyIf(gpu, stored as [GpuBuffer, GpuBuffer][], flag);
    },
  };
}

function floatBits(value: number): number {
  return new Uint32Array(new Float32Array([value]).buffer)[0];
}
