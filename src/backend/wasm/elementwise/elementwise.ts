import { lookup } from "../../../core/errors.ts";
import type { Backend, Unary } from "../../backend.ts";
import { type Engine, GRAIN } from "../engine/engine.ts";
import type { WasmBuffer } from "../engine/memory.ts";

/** The name of each function in `assembly/elementwise/unary.ts` and `assembly/elementwise/unary-grad.ts`. */
const UNARY: Record<Unary, string> = {
  relu: "Relu",
  leakyRelu: "LeakyRelu",
  elu: "Elu",
  tanh: "Tanh",
  exp: "Exp",
  log: "Log",
  sqrt: "Sqrt",
  rsqrt: "Rsqrt",
  reciprocal: "Reciprocal",
  square: "Square",
};

const BINARY = { add: "add", sub: "sub", mul: "mul", div: "div" } as const;

type Elementwise = Pick<
  Backend,
  "fill" | "copy" | "copyIf" | "moveIf" | "improve" | "unary" | "unaryGrad" | "binary" | "affine" | "clip" | "adam"
>;

/** Elementwise kernels cover the first `out.length` elements of their inputs. */
export function elementwise(engine: Engine): Elementwise {
  return {
    fill(out, value) {
      const bits = out.dtype === "i32" ? value : floatBits(value);
      const address = engine.heap.address("fill", "out", out, out.dtype);
      engine.run("fill", out.length, GRAIN, address, bits);
    },
    copy(out, X) {
      const to = engine.heap.address("copy", "out", out, out.dtype);
      const from = engine.heap.address("copy", "X", X, out.dtype, out.length);
      engine.run("copy", out.length, GRAIN, to, from);
    },
    copyIf(copies, chosen) {
      engine.floats("copyIf", "chosen", chosen, 1);
      const [flag] = engine.heap.values(chosen as WasmBuffer);
      for (const [to, from] of copies) {
        const target = engine.heap.address("copyIf", "to", to, to.dtype);
        const source = engine.heap.address("copyIf", "from", from, to.dtype, to.length);
        if (flag! > 0) engine.run("copy", to.length, GRAIN, target, source);
      }
    },
    moveIf(out, X, chosen) {
      engine.floats("moveIf", "chosen", chosen, 1);
      if (engine.heap.values(chosen as WasmBuffer)[0] > 0) engine.heap.exchange("moveIf", out, X);
    },
    improve(chosen, best, score) {
      engine.floats("improve", "chosen", chosen, 1);
      engine.floats("improve", "best", best, 1);
      engine.floats("improve", "score", score, 1);
      const [lowest, value] = [best, score].map((buffer) => engine.heap.values(buffer as WasmBuffer)[0]);
      const better = value! < lowest!;
      engine.heap.write(chosen, Float32Array.of(Number(better)));
      if (better) engine.heap.write(best, Float32Array.of(value!));
    },
    unary(kind, out, X) {
      const kernel = lookup(UNARY, kind, "unary kernel");
      const y = engine.floats("unary", "out", out);
      const x = engine.floats("unary", "X", X, out.length);
      engine.run(`unary${kernel}`, out.length, GRAIN, y, x);
    },
    unaryGrad(kind, dX, dY, X, Y) {
      const kernel = lookup(UNARY, kind, "unary kernel");
      const name = "unaryGrad";
      const dx = engine.floats(name, "dX", dX);
      const dy = engine.floats(name, "dY", dY, dX.length);
      const x = engine.floats(name, "X", X, dX.length);
      const y = engine.floats(name, "Y", Y, dX.length);
      engine.run(`grad${kernel}`, dX.length, GRAIN, dx, dy, x, y);
    },
    binary(kind, out, A, B) {
      const kernel = lookup(BINARY, kind, "binary kernel");
      const y = engine.floats("binary", "out", out);
      const a = engine.floats("binary", "A", A, out.length);
      const b = engine.floats("binary", "B", B, out.length);
      engine.run(kernel, out.length, GRAIN, y, a, b);
    },
    affine(out, a, A, b, B, c) {
      const y = engine.floats("affine", "out", out);
      const x = engine.floats("affine", "A", A, out.length);
      if (!B) return engine.run("affine", out.length, GRAIN, y, a, x, c);
      engine.run("affine2", out.length, GRAIN, y, a, x, b, engine.floats("affine", "B", B, out.length), c);
    },
    clip(out, X, low, high) {
      const y = engine.floats("clip", "out", out);
      const x = engine.floats("clip", "X", X, out.length);
      engine.run("clip", out.length, GRAIN, y, x, low, high);
    },
    adam(parameter, gradient, m, v, { step, learningRate, weightDecay, beta1, beta2, epsilon }) {
      const { length } = parameter;
      const buffers = [
        engine.floats("adam", "parameter", parameter),
        engine.floats("adam", "gradient", gradient, length),
      ];
      buffers.push(engine.floats("adam", "m", m, length), engine.floats("adam", "v", v, length));
      const rate = learningRate / (1 - beta1 ** step);
      const root = 1 / Math.sqrt(1 - beta2 ** step);
      const decay = [beta1, 1 - beta1, beta2, 1 - beta2, epsilon];
      engine.run("adam", length, GRAIN, ...buffers, rate, root, weightDecay, ...decay);
    },
  };
}

function floatBits(value: number): number {
  return new Int32Array(new Float32Array([value]).buffer)[0];
}
