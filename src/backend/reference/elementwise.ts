import { lookup } from "../../core/errors.ts";
import type { AffineArguments, Binary, Buffer, Copy, Unary } from "../backend.ts";
import { elements, floats } from "./storage.ts";

/** Elementwise kernels use the first `out.length` elements of their inputs. */

export function fill(out: Buffer, value: number): void {
  elements("fill", "out", out, out.dtype).fill(value);
}

export function copy(out: Buffer, X: Buffer): void {
  const y = elements("copy", "out", out, out.dtype);
  const x = elements("copy", "X", X, out.dtype, out.length);
  for (let e = 0; e < y.length; e++) y[e] = x[e];
}

export function copyIf(copies: readonly Copy[], chosen: Buffer): void {
  const [flag] = floats("copyIf", "chosen", chosen, 1);
  for (const [to, from] of copies) {
    elements("copyIf", "from", from, to.dtype, to.length);
    if (flag! > 0) copy(to, from);
  }
}

/** Swaps the two, so that tests fail if a caller reads `from` afterwards. */
export function moveIf(moves: readonly Copy[], chosen: Buffer): void {
  const [flag] = floats("moveIf", "chosen", chosen, 1);
  for (const [to, from] of moves) {
    const y = elements("moveIf", "to", to, to.dtype);
    const x = elements("moveIf", "from", from, to.dtype, to.length);
    if (flag > 0) for (let e = 0; e < y.length; e++) [y[e], x[e]] = [x[e], y[e]];
  }
}

export function improve(chosen: Buffer, best: Buffer, score: Buffer): void {
  const flag = floats("improve", "chosen", chosen, 1);
  const lowest = floats("improve", "best", best, 1);
  const value = floats("improve", "score", score, 1)[0];
  flag[0] = value < lowest[0] ? 1 : 0;
  if (flag[0] === 1) lowest[0] = value;
}

const LEAKY_SLOPE = 0.2;

/** Each function, and its derivative from the input x and the output y. */
const UNARY: Record<Unary, { f(x: number): number; derivative(x: number, y: number): number }> = {
  relu: { f: (x) => Math.max(x, 0), derivative: (x) => (x > 0 ? 1 : 0) },
  leakyRelu: { f: (x) => (x > 0 ? x : LEAKY_SLOPE * x), derivative: (x) => (x > 0 ? 1 : LEAKY_SLOPE) },
  elu: { f: (x) => (x > 0 ? x : Math.expm1(x)), derivative: (x, y) => (x > 0 ? 1 : y + 1) },
  tanh: { f: Math.tanh, derivative: (_, y) => 1 - y * y },
  exp: { f: Math.exp, derivative: (_, y) => y },
  log: { f: Math.log, derivative: (x) => 1 / x },
  sqrt: { f: Math.sqrt, derivative: (_, y) => 0.5 / y },
  rsqrt: { f: (x) => (x === 0 ? 0 : 1 / Math.sqrt(x)), derivative: (_, y) => -0.5 * y * y * y },
  reciprocal: { f: (x) => (x === 0 ? 0 : 1 / x), derivative: (_, y) => -y * y },
  square: { f: (x) => x * x, derivative: (x) => 2 * x },
};

export function unary(kind: Unary, out: Buffer, X: Buffer): void {
  const { f } = lookup(UNARY, kind, "unary kernel");
  const y = floats("unary", "out", out);
  const x = floats("unary", "X", X, out.length);
  for (let e = 0; e < y.length; e++) y[e] = f(x[e]);
}

export function unaryGrad(kind: Unary, dX: Buffer, dY: Buffer, X: Buffer, Y: Buffer): void {
  const { derivative } = lookup(UNARY, kind, "unary kernel");
  const dx = floats("unaryGrad", "dX", dX);
  const dy = floats("unaryGrad", "dY", dY, dX.length);
  const x = floats("unaryGrad", "X", X, dX.length);
  const y = floats("unaryGrad", "Y", Y, dX.length);
  for (let e = 0; e < dx.length; e++) dx[e] = dy[e] * derivative(x[e], y[e]);
}

const BINARY: Record<Binary, (a: number, b: number) => number> = {
  add: (a, b) => a + b,
  sub: (a, b) => a - b,
  mul: (a, b) => a * b,
  div: (a, b) => a / b,
};

export function binary(kind: Binary, out: Buffer, A: Buffer, B: Buffer): void {
  const f = lookup(BINARY, kind, "binary kernel");
  const y = floats("binary", "out", out);
  const a = floats("binary", "A", A, y.length);
  const b = floats("binary", "B", B, y.length);
  for (let e = 0; e < y.length; e++) y[e] = f(a[e], b[e]);
}

export function affine({ out, a, A, b = 0, B = null, c = 0 }: AffineArguments): void {
  const y = floats("affine", "out", out);
  const x = floats("affine", "A", A, y.length);
  const z = B && floats("affine", "B", B, y.length);
  for (let e = 0; e < y.length; e++) y[e] = a * x[e] + (z ? b * z[e] : 0) + c;
}

export function clip(out: Buffer, X: Buffer, low: number, high: number): void {
  const y = floats("clip", "out", out);
  const x = floats("clip", "X", X, out.length);
  for (let e = 0; e < y.length; e++) y[e] = Math.min(Math.max(x[e], low), high);
}
