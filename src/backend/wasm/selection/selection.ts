import type { Engine } from "../engine/engine.ts";
import type { WasmBuffer } from "../engine/memory.ts";

/** As in `assembly/selection/selection.ts`. */
export const CHUNK = 16_384;
/** Words of a histogram of 12 bits. */
export const HISTOGRAM = 4096;

/** Floats in the memory of the kernels. */
export interface Floats {
  readonly address: number;
  readonly length: number;
}

/** Which elements to select: those above `value`, and the first `ties` of those equal to it. */
export interface Threshold {
  readonly value: number;
  readonly ties: number;
}

/** Where each chunk of floats writes its selected elements. */
export interface Plan {
  /** Address of two words per chunk: its first place and how many ties it takes. One chunk more marks the end. */
  readonly address: number;
  readonly chunks: number;
  /** Number of selected elements. */
  readonly total: number;
}

/** Counts what each chunk selects and sums the counts in order, so places do not depend on threads (rule R1). */
export function withPlan<T>(engine: Engine, x: Floats, { value, ties }: Threshold, use: (plan: Plan) => T): T {
  const chunks = Math.ceil(x.length / CHUNK);
  return engine.borrow("i32", 2 * (chunks + 1), (buffer, address) => {
    engine.run("countAbove", chunks, 1, address, x.address, x.length, value);
    const total = assignPlaces(engine.heap.values(buffer) as Int32Array, ties);
    return use({ address, chunks, total });
  });
}

/** Turns [above, equal] of each chunk but the last into [first place, equal ones to take]; returns the number of places. */
function assignPlaces(plan: Int32Array, ties: number): number {
  const last = plan.length - 2;
  let place = 0;
  for (let c = 0; c < last; c += 2) {
    const above = plan[c];
    const equal = Math.min(plan[c + 1], ties);
    plan[c] = place;
    plan[c + 1] = equal;
    place += above + equal;
    ties -= equal;
  }
  plan[last] = place;
  return place;
}

/** The selected positions, ascending, in a buffer that belongs to the caller. */
export function positionsAbove(engine: Engine, x: Floats, threshold: Threshold): WasmBuffer {
  return withPlan(engine, x, threshold, (plan) => {
    const positions = engine.heap.alloc("i32", plan.total);
    const values = [x.address, x.length, threshold.value];
    engine.run("writeAbove", plan.chunks, 1, positions.address, plan.address, ...values);
    return positions;
  });
}

/** The values that are at least `threshold`, in order, in a buffer that belongs to the caller. */
export function valuesFrom(engine: Engine, x: Floats, threshold: number): WasmBuffer {
  return withPlan(engine, x, { value: threshold, ties: Number.POSITIVE_INFINITY }, (plan) => {
    const values = engine.heap.alloc("f32", plan.total);
    engine.run("valuesFrom", plan.chunks, 1, values.address, plan.address, x.address, x.length, threshold);
    return values;
  });
}

/** The threshold that selects exactly the `k` largest; of equal ones, those with the lower index. */
export function largest(engine: Engine, x: Floats, k: number): Threshold {
  if (k === 0) return { value: Number.POSITIVE_INFINITY, ties: 0 };
  const value = kthLargest(engine, x, k);
  const numAbove = withPlan(engine, x, { value, ties: 0 }, ({ total }) => total);
  return { value, ties: k - numAbove };
}

export function kthLargest(engine: Engine, { address, length }: Floats, k: number): number {
  return engine.borrow("i32", HISTOGRAM, (_, histogram) => engine.call("kthLargest", address, length, k, histogram));
}
