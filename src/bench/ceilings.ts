import type { Engine } from "../backend/wasm/engine.ts";
import { startEngine } from "../backend/wasm/wasm.ts";
import { Rng } from "../core/rng.ts";
import { measure } from "./measure.ts";

/** What the machine can do with a number of threads in its best run, in bytes, flops and words per second. */
export interface Ceilings {
  readonly threads: number;
  /** Reading a matrix from one end to the other. */
  readonly stream: number;
  /** Summing random rows of 1 KiB out of a matrix that no cache holds. */
  readonly gather: number;
  /** The same with rows of 256 bytes out of a matrix of Cora ML's size, which a cache holds. */
  readonly cached: number;
  /** The same out of a matrix of PubMed's size, which only the cache that cores share holds. */
  readonly shared: number;
  /** Multiply-adds on values that stay in registers, two flops each. */
  readonly flops: number;
  /** Random 32-bit words of Philox, many counters at a time. */
  readonly words: number;
}

const ROWS = 169_343;
const COLS = 256;
const CACHED_ROWS = 2810;
const CACHED_COLS = 64;
const SHARED_ROWS = 19_717;
const GATHERED = 1_000_000;
const GATHER_GRAIN = 512;
const STREAM_GRAIN = 65_536;
const COUNTERS = 2_000_000;
const COUNTER_GRAIN = 20_000;
const MADD_STEPS = 20_000_000;
const MADD_GRAIN = 100_000;
/** Twelve vectors of four, one multiplication and one addition each. */
const MADD_FLOPS = 12 * 4 * 2;

/** Measures with loops that do nothing else (`backend/wasm/assembly/probe.ts`), and checks that they did it. */
export async function measureCeilings(threads: number): Promise<Ceilings> {
  const engine = await startEngine({ threads });
  try {
    const X = engine.heap.alloc("f32", ROWS * COLS);
    engine.heap.values(X).fill(1);
    return {
      threads,
      stream: stream(engine, X.address),
      gather: gather(engine, X.address, ROWS, COLS),
      cached: gather(engine, X.address, CACHED_ROWS, CACHED_COLS),
      shared: gather(engine, X.address, SHARED_ROWS, CACHED_COLS),
      flops: flops(engine),
      words: words(engine),
    };
  } finally {
    await engine.pool.close();
  }
}

function stream(engine: Engine, x: number): number {
  const length = ROWS * COLS - ((ROWS * COLS) % STREAM_GRAIN);
  return rate(engine, length / STREAM_GRAIN, 4 * length, length, (out) => {
    engine.run("probeStream", length, STREAM_GRAIN, out, x, STREAM_GRAIN);
  });
}

function gather(engine: Engine, x: number, rows: number, cols: number): number {
  const rng = new Rng(1);
  const index = engine.heap.upload(Int32Array.from({ length: GATHERED }, () => rng.integer(rows)));
  const slots = Math.ceil(GATHERED / GATHER_GRAIN);
  return rate(engine, slots, GATHERED * cols * 4, GATHERED * cols, (out) => {
    engine.run("probeGather", GATHERED, GATHER_GRAIN, out, index.address, x, cols * 4, GATHER_GRAIN);
  });
}

/** s ← s·½ + ½ has the fixed point 1, which twelve vectors of four reach in every chunk. */
function flops(engine: Engine): number {
  const slots = MADD_STEPS / MADD_GRAIN;
  return rate(engine, slots, MADD_STEPS * MADD_FLOPS, slots * 48, (out) => {
    engine.run("probeMadd", MADD_STEPS, MADD_GRAIN, out, 0.5, MADD_GRAIN);
  });
}

/** Four words per counter, half of which begin with a one. */
function words(engine: Engine): number {
  return rate(engine, COUNTERS / COUNTER_GRAIN, 4 * COUNTERS, 2 * COUNTERS, (out) => {
    engine.run("probeWords", COUNTERS, COUNTER_GRAIN, out, 1, 2, COUNTER_GRAIN);
  });
}

/** Work per second, once the sum over all slots of four floats is what the loop must give. */
function rate(engine: Engine, slots: number, work: number, expected: number, run: (out: number) => void): number {
  const out = engine.heap.alloc("f32", 4 * slots);
  const [timing] = measure([{ run: () => run(out.address) }]);
  const sum = (engine.heap.values(out) as Float32Array).reduce((total, value) => total + value, 0);
  if (Math.abs(sum - expected) > 1e-3 * expected) throw new Error(`a probe returned ${sum} instead of ${expected}`);
  engine.heap.free(out);
  return work / (timing!.best / 1000);
}

/** The higher of two measurements in everything: what was measured in a quieter moment. */
export function higher(a: Ceilings, b: Ceilings): Ceilings {
  return combined(a, b, Math.max);
}

/** What work between two measurements could count on: the least time for it is the mean of what they say. */
export function between(a: Ceilings, b: Ceilings): Ceilings {
  return combined(a, b, (x, y) => 2 / (1 / x + 1 / y));
}

function combined(a: Ceilings, b: Ceilings, combine: (x: number, y: number) => number): Ceilings {
  return {
    threads: a.threads,
    stream: combine(a.stream, b.stream),
    gather: combine(a.gather, b.gather),
    cached: combine(a.cached, b.cached),
    shared: combine(a.shared, b.shared),
    flops: combine(a.flops, b.flops),
    words: combine(a.words, b.words),
  };
}
