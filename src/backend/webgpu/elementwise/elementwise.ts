import { lookup } from "../../../core/errors.ts";
import type { Backend, Unary } from "../../backend.ts";
import type { Gpu } from "../device/gpu.ts";
import type { GpuBuffer } from "../device/gpu-buffer.ts";
import type { NamedBuffers, NamedNumbers } from "../device/pipelines.ts";
import type { Constants, ShaderName } from "../device/shader.ts";
import { elementPieces, elementsPerBinding } from "../shared/element-pieces.ts";
import { copyIf } from "./copy-if.ts";

/** The number of each function in `unary-functions.wgsl`. */
const UNARY: Record<Unary, number> = {
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

type Elementwise = Pick<
  Backend,
  "fill" | "copy" | "unary" | "unaryGrad" | "binary" | "affine" | "clip" | "adam" | "improve" | "copyIf"
>;

/** Elementwise kernels use the first `out.length` elements of their inputs, four per thread where padding allows it. */
export function elementwise(gpu: Gpu): Elementwise {
  return {
    fill: fill(gpu),
    copy: copy(gpu),
    unary: unary(gpu),
    unaryGrad: unaryGrad(gpu),
    binary: binary(gpu),
    affine: affine(gpu),
    clip: clip(gpu),
    adam: adam(gpu),
    improve: improve(gpu),
    copyIf: copyIf(gpu),
  };
}

function fill(gpu: Gpu): Backend["fill"] {
  return (out, value) => {
    const to = gpu.heap.stored("fill", "out", out, out.dtype);
    const bits = out.dtype === "i32" ? value : floatBits(value);
    perElement(gpu, to, { shader: "fill", element: "u32", bind: { out: to }, params: { bits } });
  };
}

function copy(gpu: Gpu): Backend["copy"] {
  return (out, X) => {
    const to = gpu.heap.stored("copy", "out", out, out.dtype);
    const from = gpu.heap.stored("copy", "X", X, out.dtype, out.length);
    perElement(gpu, to, { shader: "copy", element: "u32", bind: { out: to, X: from } });
  };
}

function unary(gpu: Gpu): Backend["unary"] {
  return (kind, out, X) => {
    const KIND = lookup(UNARY, kind, "unary kernel");
    const y = gpu.floats("unary", "out", out);
    const x = gpu.floats("unary", "X", X, out.length);
    perElement(gpu, y, { shader: "unary", constants: { KIND }, bind: { out: y, X: x } });
  };
}

function unaryGrad(gpu: Gpu): Backend["unaryGrad"] {
  return (kind, dX, dY, X, Y) => {
    const name = "unaryGrad";
    const KIND = lookup(UNARY, kind, "unary kernel");
    const { length } = dX;
    const dx = gpu.floats(name, "dX", dX);
    const dy = gpu.floats(name, "dY", dY, length);
    const x = gpu.floats(name, "X", X, length);
    const y = gpu.floats(name, "Y", Y, length);
    perElement(gpu, dx, { shader: "unary-grad", constants: { KIND }, bind: { dX: dx, dY: dy, X: x, Y: y } });
  };
}

function binary(gpu: Gpu): Backend["binary"] {
  return (kind, out, A, B) => {
    const KIND = lookup(BINARY, kind, "binary kernel");
    const y = gpu.floats("binary", "out", out);
    const a = gpu.floats("binary", "A", A, out.length);
    const b = gpu.floats("binary", "B", B, out.length);
    perElement(gpu, y, { shader: "binary", constants: { KIND }, bind: { out: y, A: a, B: b } });
  };
}

function affine(gpu: Gpu): Backend["affine"] {
  return ({ out, a, A, b = 0, B = null, c = 0 }) => {
    const y = gpu.floats("affine", "out", out);
    const first = gpu.floats("affine", "A", A, out.length);
    const second = gpu.floatsOrNone("affine", "B", B, out.length);
    perElement(gpu, y, {
      shader: "affine",
      constants: { HAS_B: Number(second !== null) },
      bind: { out: y, A: first, B: second },
      params: { a, b, c },
    });
  };
}

function clip(gpu: Gpu): Backend["clip"] {
  return (out, X, low, high) => {
    const y = gpu.floats("clip", "out", out);
    const x = gpu.floats("clip", "X", X, out.length);
    perElement(gpu, y, { shader: "clip", bind: { out: y, X: x }, params: { low, high } });
  };
}

function adam(gpu: Gpu): Backend["adam"] {
  return (parameter, gradient, m, v, { step, learningRate, weightDecay, beta1, beta2, epsilon }) => {
    const { length } = parameter;
    const stored = gpu.floats("adam", "parameter", parameter);
    const bind = {
      parameter: stored,
      m: gpu.floats("adam", "m", m, length),
      v: gpu.floats("adam", "v", v, length),
      gradient: gpu.floats("adam", "gradient", gradient, length),
    };
    const rate = learningRate / (1 - beta1 ** step);
    const root = 1 / Math.sqrt(1 - beta2 ** step);
    const params = { rate, root, weightDecay, beta1, rest1: 1 - beta1, beta2, rest2: 1 - beta2, epsilon };
    perElement(gpu, stored, { shader: "adam", bind, params });
  };
}

function improve(gpu: Gpu): Backend["improve"] {
  return (chosen, best, score) => {
    const bind = {
      chosen: gpu.floats("improve", "chosen", chosen, 1),
      best: gpu.floats("improve", "best", best, 1),
      score: gpu.floats("improve", "score", score, 1),
    };
    gpu.launch({ shader: "track-best", bind, groups: 1 });
  };
}

/** A kernel whose threads have one element each, or four. Its `length` and `T` follow from the output. */
interface PerElement {
  readonly shader: ShaderName;
  /** Default `f32`. */
  readonly element?: "f32" | "u32";
  readonly constants?: Constants;
  readonly bind: NamedBuffers;
  readonly params?: NamedNumbers;
}

function perElement(gpu: Gpu, out: GpuBuffer, kernel: PerElement): void {
  const { shader, element = "f32", constants, bind, params } = kernel;
  elementPieces(gpu, out.length, (begin, count) => {
    const wide = out.hasPadding || count % 4 === 0;
    const T = wide ? (element === "f32" ? "vec4f" : "vec4u") : element;
    const length = wide ? Math.ceil(count / 4) : count;
    gpu.launch({
      shader,
      constants: { ...constants, T },
      bind: pieceOf(gpu, bind, begin, count),
      params: { ...params, length },
      threads: length,
    });
  });
}

/** The arguments for `count` elements from `begin` on. Buffers that fit a binding stay whole. */
export function pieceOf(gpu: Gpu, bind: NamedBuffers, begin: number, count: number): NamedBuffers {
  const most = elementsPerBinding(gpu);
  let isWhole = true;
  for (const name in bind) isWhole &&= (bind[name]?.length ?? 0) <= most;
  if (isWhole) return bind;
  const pieces: Record<string, GpuBuffer | null> = {};
  for (const name in bind) {
    const buffer = bind[name];
    pieces[name] = buffer && buffer.length > most ? buffer.window(begin, count) : buffer;
  }
  return pieces;
}

function floatBits(value: number): number {
  return new Uint32Array(new Float32Array([value]).buffer)[0];
}
