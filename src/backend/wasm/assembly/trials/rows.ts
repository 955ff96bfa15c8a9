// One row of a layer: what both the whole stack and a patch of it compute. Rows are padded to whole vectors.
import { madd } from "../shared/fma";
import { RELU, SCALE, SHIFT, STRIDE, TOWARDS, WEIGHT, WIDTH } from "./record";

/** to += a·from */
export function addScaled(to: usize, from: usize, a: f32, bytes: usize): void {
  const factor = f32x4.splat(a);
  for (let at: usize = 0; at < bytes; at += 16) {
    v128.store(to + at, madd(factor, v128.load(from + at), v128.load(to + at)));
  }
}

/** out = σ(scale·sum·(scale of the layer) + shift)·W, or the same without W where the layer has none. `sum` is written over. */
export function finishRow(out: usize, sum: usize, scale: f32, layer: usize, next: usize): void {
  activate(sum, scale, layer);
  const weight = load<usize>(layer, WEIGHT);
  const outBytes = load<usize>(next, STRIDE) << 2;
  if (weight === 0) {
    memory.copy(out, sum, outBytes);
    return;
  }
  memory.fill(out, 0, outBytes);
  const width = load<usize>(layer, WIDTH);
  for (let k: usize = 0; k < width; k++) {
    const h = load<f32>(sum + (k << 2));
    if (h !== 0) addScaled(out, weight + k * outBytes, h, outBytes);
  }
}

/** sum = σ(scale·sum·(scale of the layer) + shift) */
export function activate(sum: usize, scale: f32, layer: usize): void {
  const bytes = load<usize>(layer, STRIDE) << 2;
  const columnScale = load<usize>(layer, SCALE);
  const shift = load<usize>(layer, SHIFT);
  const relu = load<u32>(layer, RELU);
  const factor = f32x4.splat(scale);
  const zero = f32x4.splat(0);
  for (let at: usize = 0; at < bytes; at += 16) {
    let x = f32x4.mul(v128.load(sum + at), factor);
    if (columnScale) x = f32x4.mul(x, v128.load(columnScale + at));
    if (shift) x = f32x4.add(x, v128.load(shift + at));
    if (relu) x = f32x4.max(x, zero);
    v128.store(sum + at, x);
  }
}

/** Replaces a margin of 0: of two equal logits the first wins. */
const TIE: f32 = 1e-30;

/** Logit of a class minus the best other; or the other way round, if the attacker wants the class to win. */
export function marginOf(logits: usize, width: usize, own: i32, flags: u32): f32 {
  let best: f32 = -Infinity;
  let other = 0;
  for (let c: usize = 0; c < width; c++) {
    const logit = load<f32>(logits + (c << 2));
    if (<i32>c === own || logit <= best) continue;
    best = logit;
    other = <i32>c;
  }
  const difference = load<f32>(logits + ((<usize>own) << 2)) - best;
  const margin = difference !== 0 ? difference : own < other ? TIE : -TIE;
  return flags & TOWARDS ? -margin : margin;
}
