// Derivatives of the functions of `unary.ts`: dX = dY · f'(X), from the input X or the output Y, whichever is cheaper.
import { madd } from "../shared/fma";
import { LEAK } from "./leak";
import { mapPairs } from "./map-elements";

class Relu {
  of(dy: v128, x: v128): v128 {
    return v128.and(dy, f32x4.gt(x, f32x4.splat(0)));
  }
}

export function gradRelu(begin: i32, end: i32, out: usize, dy: usize, x: usize, _y: usize): void {
  mapPairs<Relu>(begin, end, out, dy, x);
}

class LeakyRelu {
  of(dy: v128, x: v128): v128 {
    return v128.bitselect(dy, f32x4.mul(dy, f32x4.splat(LEAK)), f32x4.gt(x, f32x4.splat(0)));
  }
}

export function gradLeakyRelu(begin: i32, end: i32, out: usize, dy: usize, x: usize, _y: usize): void {
  mapPairs<LeakyRelu>(begin, end, out, dy, x);
}

/** e^x = (e^x − 1) + 1 = y + 1 below 0. */
export function gradElu(begin: i32, end: i32, out: usize, dy: usize, x: usize, y: usize): void {
  const last = (<usize>end) << 2;
  for (let at = (<usize>begin) << 2; at < last; at += 16) {
    const g = v128.load(dy + at);
    const isPositive = f32x4.gt(v128.load(x + at), f32x4.splat(0));
    v128.store(out + at, v128.bitselect(g, madd(g, v128.load(y + at), g), isPositive));
  }
}

class Tanh {
  of(dy: v128, y: v128): v128 {
    return f32x4.mul(dy, f32x4.sub(f32x4.splat(1), f32x4.mul(y, y)));
  }
}

export function gradTanh(begin: i32, end: i32, out: usize, dy: usize, _x: usize, y: usize): void {
  mapPairs<Tanh>(begin, end, out, dy, y);
}

class Exp {
  of(dy: v128, y: v128): v128 {
    return f32x4.mul(dy, y);
  }
}

export function gradExp(begin: i32, end: i32, out: usize, dy: usize, _x: usize, y: usize): void {
  mapPairs<Exp>(begin, end, out, dy, y);
}

class Log {
  of(dy: v128, x: v128): v128 {
    return f32x4.div(dy, x);
  }
}

export function gradLog(begin: i32, end: i32, out: usize, dy: usize, x: usize, _y: usize): void {
  mapPairs<Log>(begin, end, out, dy, x);
}

class Sqrt {
  of(dy: v128, y: v128): v128 {
    return f32x4.div(f32x4.mul(dy, f32x4.splat(0.5)), y);
  }
}

export function gradSqrt(begin: i32, end: i32, out: usize, dy: usize, _x: usize, y: usize): void {
  mapPairs<Sqrt>(begin, end, out, dy, y);
}

class Rsqrt {
  of(dy: v128, y: v128): v128 {
    return f32x4.mul(f32x4.mul(dy, f32x4.splat(-0.5)), f32x4.mul(y, f32x4.mul(y, y)));
  }
}

export function gradRsqrt(begin: i32, end: i32, out: usize, dy: usize, _x: usize, y: usize): void {
  mapPairs<Rsqrt>(begin, end, out, dy, y);
}

class Reciprocal {
  of(dy: v128, y: v128): v128 {
    return f32x4.neg(f32x4.mul(dy, f32x4.mul(y, y)));
  }
}

export function gradReciprocal(begin: i32, end: i32, out: usize, dy: usize, _x: usize, y: usize): void {
  mapPairs<Reciprocal>(begin, end, out, dy, y);
}

class Square {
  of(dy: v128, x: v128): v128 {
    return f32x4.mul(dy, f32x4.add(x, x));
  }
}

export function gradSquare(begin: i32, end: i32, out: usize, dy: usize, x: usize, _y: usize): void {
  mapPairs<Square>(begin, end, out, dy, x);
}
