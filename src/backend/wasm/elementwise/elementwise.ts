import { lookup } from "../../../core/errors.ts";
import type { Backend, Unary } from "../../backend.ts";
import { type Engine, GRAIN } from "../engine/engine.ts";
import { adam } from "./adam.ts";
import { copyIf, improve, moveIf } from "./best-so-far.ts";
import { dropout, reluDropout, reluDropoutGrad } from "./dropout.ts";

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

/** Elementwise kernels cover the first `out.length` elements of their inputs. */
export function elementwise(engine: Engine) {
  return {
    fill: fill(engine),
    copy: copy(engine),
    copyIf: copyIf(engine),
    moveIf: moveIf(engine),
    improve: improve(engine),
    unary: unary(engine),
    unaryGrad: unaryGrad(engine),
    binary: binary(engine),
    affine: affine(engine),
    clip: clip(engine),
    dropout: dropout(engine),
    reluDropout: reluDropout(engine),
    reluDropoutGrad: reluDropoutGrad(engine),
    adam: adam(engine),
  };
}

function fill(engine: Engine): Backend["fill"] {
  return (out, value) => {
    const bits = out.dtype === "i32" ? value : floatBits(value);
    const address = engine.heap.address("fill", "out", out, out.dtype);
    engine.run("fill", out.length, GRAIN, address, bits);
  };
}

function floatBits(value: number): number {
  return new Int32Array(new Float32Array([value]).buffer)[0];
}

function copy(engine: Engine): Backend["copy"] {
  return (out, X) => {
    const to = engine.heap.address("copy", "out", out, out.dtype);
    const from = engine.heap.address("copy", "X", X, out.dtype, out.length);
    engine.run("copy", out.length, GRAIN, to, from);
  };
}

function unary(engine: Engine): Backend["unary"] {
  return (kind, out, X) => {
    const kernel = lookup(UNARY, kind, "unary kernel");
    const y = engine.floats("unary", "out", out);
    const x = engine.floats("unary", "X", X, out.length);
    engine.run(`unary${kernel}`, out.length, GRAIN, y, x);
  };
}

function unaryGrad(engine: Engine): Backend["unaryGrad"] {
  return (kind, dX, dY, X, Y) => {
    const kernel = lookup(UNARY, kind, "unary kernel");
    const name = "unaryGrad";
    const dx = engine.floats(name, "dX", dX);
    const dy = engine.floats(name, "dY", dY, dX.length);
    const x = engine.floats(name, "X", X, dX.length);
    const y = engine.floats(name, "Y", Y, dX.length);
    engine.run(`grad${kernel}`, dX.length, GRAIN, dx, dy, x, y);
  };
}

function binary(engine: Engine): Backend["binary"] {
  return (kind, out, A, B) => {
    const kernel = lookup(BINARY, kind, "binary kernel");
    const y = engine.floats("binary", "out", out);
    const a = engine.floats("binary", "A", A, out.length);
    const b = engine.floats("binary", "B", B, out.length);
    engine.run(kernel, out.length, GRAIN, y, a, b);
  };
}

function affine(engine: Engine): Backend["affine"] {
  return ({ out, a, A, b = 0, B = null, c = 0 }) => {
    const y = engine.floats("affine", "out", out);
    const x = engine.floats("affine", "A", A, out.length);
    if (!B) return engine.run("affine", out.length, GRAIN, y, a, x, c);
    engine.run("affine2", out.length, GRAIN, y, a, x, b, engine.floats("affine", "B", B, out.length), c);
  };
}

function clip(engine: Engine): Backend["clip"] {
  return (out, X, low, high) => {
    const y = engine.floats("clip", "out", out);
    const x = engine.floats("clip", "X", X, out.length);
    engine.run("clip", out.length, GRAIN, y, x, low, high);
  };
}
