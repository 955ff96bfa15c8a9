// Elementwise functions over elements begin … end − 1.
import { exp4, expm14, log4, tanh4 } from "../shared/math";
import { LEAK } from "./leak";
import { mapElements } from "./map-elements";

class Relu {
  of(x: v128): v128 {
    return f32x4.max(x, f32x4.splat(0));
  }
}

export function unaryRelu(begin: i32, end: i32, out: usize, x: usize): void {
  mapElements<Relu>(begin, end, out, x);
}

class LeakyRelu {
  of(x: v128): v128 {
    return v128.bitselect(x, f32x4.mul(x, f32x4.splat(LEAK)), f32x4.gt(x, f32x4.splat(0)));
  }
}

export function unaryLeakyRelu(begin: i32, end: i32, out: usize, x: usize): void {
  mapElements<LeakyRelu>(begin, end, out, x);
}

class Elu {
  of(x: v128): v128 {
    return v128.bitselect(x, expm14(x), f32x4.gt(x, f32x4.splat(0)));
  }
}

export function unaryElu(begin: i32, end: i32, out: usize, x: usize): void {
  mapElements<Elu>(begin, end, out, x);
}

class Tanh {
  of(x: v128): v128 {
    return tanh4(x);
  }
}

export function unaryTanh(begin: i32, end: i32, out: usize, x: usize): void {
  mapElements<Tanh>(begin, end, out, x);
}

class Exp {
  of(x: v128): v128 {
    return exp4(x);
  }
}

export function unaryExp(begin: i32, end: i32, out: usize, x: usize): void {
  mapElements<Exp>(begin, end, out, x);
}

class Log {
  of(x: v128): v128 {
    return log4(x);
  }
}

export function unaryLog(begin: i32, end: i32, out: usize, x: usize): void {
  mapElements<Log>(begin, end, out, x);
}

class Sqrt {
  of(x: v128): v128 {
    return f32x4.sqrt(x);
  }
}

export function unarySqrt(begin: i32, end: i32, out: usize, x: usize): void {
  mapElements<Sqrt>(begin, end, out, x);
}

class Rsqrt {
  of(x: v128): v128 {
    return v128.andnot(f32x4.div(f32x4.splat(1), f32x4.sqrt(x)), f32x4.eq(x, f32x4.splat(0)));
  }
}

export function unaryRsqrt(begin: i32, end: i32, out: usize, x: usize): void {
  mapElements<Rsqrt>(begin, end, out, x);
}

class Reciprocal {
  of(x: v128): v128 {
    return v128.andnot(f32x4.div(f32x4.splat(1), x), f32x4.eq(x, f32x4.splat(0)));
  }
}

export function unaryReciprocal(begin: i32, end: i32, out: usize, x: usize): void {
  mapElements<Reciprocal>(begin, end, out, x);
}

class Square {
  of(x: v128): v128 {
    return f32x4.mul(x, x);
  }
}

export function unarySquare(begin: i32, end: i32, out: usize, x: usize): void {
  mapElements<Square>(begin, end, out, x);
}
