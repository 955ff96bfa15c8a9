import type { Engine } from "../backend/wasm/engine/engine.ts";
import { startEngine } from "../backend/wasm/wasm.ts";
import { Rng } from "../core/rng.ts";
import { measure } from "./measure.ts";

/** Ceilings of the machine with a number of threads, in bytes, flops and words per second. */
export interface Ceilings {
  readonly threads: number;
  /** Reading a matrix from one end to the other. */
  readonly stream: number;
  /** Summing random rows of 1 KiB from a matrix that fits into no cache. */
  readonly gather: number;
  /** The same with rows of 256 bytes from a matrix of Cora ML's size, which fits into the cache of a core. */
  readonly cached: number;
  /** The same from a matrix of PubMed's size, which fits only into the cache that cores share. */
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

/** Measures the milliseconds of one run, with as many runs as it needs. */
type Stopwatch = (run: () => void) => number;

/** Measures ceilings by the best of many runs. */
export async function measureCeilings(threads: number): Promise<Ceilings> {
  const probes = await CeilingProbes.open(threads);
  try {
    return probes.measure((run) => measure([{ run }])[0].best);
  } finally {
    await probes.close();
  }
}

/**
 * The loops that measure ceilings (`backend/wasm/assembly/bench/ceiling-loops.ts`), kept ready for repeated runs. Their
 * results are checked.
 */
export class CeilingProbes {
  private readonly engine: Engine;
  private readonly x: number;
  /** Addresses of random row numbers to gather, by the number of rows of the matrix. */
  private readonly index: ReadonlyMap<number, number>;

  private constructor(engine: Engine) {
    this.engine = engine;
    const X = engine.heap.alloc("f32", ROWS * COLS);
    engine.heap.values(X).fill(1);
    this.x = X.address;
    this.index = new Map([ROWS, CACHED_ROWS, SHARED_ROWS].map((rows) => [rows, randomRows(engine, rows)]));
  }

  static async open(threads: number): Promise<CeilingProbes> {
    return new CeilingProbes(await startEngine({ threads }));
  }

  close(): Promise<void> {
    return this.engine.pool.close();
  }

  /** Runs all loops; `watch` times each of them. */
  measure(watch: Stopwatch): Ceilings {
    return {
      threads: this.engine.pool.threads,
      stream: this.stream(watch),
      gather: this.gather(watch, ROWS, COLS),
      cached: this.gather(watch, CACHED_ROWS, CACHED_COLS),
      shared: this.gather(watch, SHARED_ROWS, CACHED_COLS),
      flops: this.flops(watch),
      words: this.words(watch),
    };
  }

  private stream(watch: Stopwatch): number {
    const length = ROWS * COLS - ((ROWS * COLS) % STREAM_GRAIN);
    return this.rate(watch, length / STREAM_GRAIN, 4 * length, length, (out) => {
      this.engine.run("streamCeiling", length, STREAM_GRAIN, out, this.x, STREAM_GRAIN);
    });
  }

  private gather(watch: Stopwatch, rows: number, cols: number): number {
    const index = this.index.get(rows)!;
    const slots = Math.ceil(GATHERED / GATHER_GRAIN);
    return this.rate(watch, slots, GATHERED * cols * 4, GATHERED * cols, (out) => {
      this.engine.run("gatherCeiling", GATHERED, GATHER_GRAIN, out, index, this.x, cols * 4, GATHER_GRAIN);
    });
  }

  /** s ← s·½ + ½ converges to 1: in every chunk, twelve vectors of four do, so the sum is 48 per slot. */
  private flops(watch: Stopwatch): number {
    const slots = MADD_STEPS / MADD_GRAIN;
    return this.rate(watch, slots, MADD_STEPS * MADD_FLOPS, slots * 48, (out) => {
      this.engine.run("multiplyAddCeiling", MADD_STEPS, MADD_GRAIN, out, 0.5, MADD_GRAIN);
    });
  }

  /** Four words per counter; the loop counts those with the first bit set, about half. */
  private words(watch: Stopwatch): number {
    return this.rate(watch, COUNTERS / COUNTER_GRAIN, 4 * COUNTERS, 2 * COUNTERS, (out) => {
      this.engine.run("randomWordCeiling", COUNTERS, COUNTER_GRAIN, out, 1, 2, COUNTER_GRAIN);
    });
  }

  /** Work per second; throws unless the sum over all slots of four floats is `expected`. */
  private rate(watch: Stopwatch, slots: number, work: number, expected: number, run: (out: number) => void): number {
    const { heap } = this.engine;
    const out = heap.alloc("f32", 4 * slots);
    const milliseconds = watch(() => run(out.address));
    const sum = (heap.values(out) as Float32Array).reduce((total, value) => total + value, 0);
    if (Math.abs(sum - expected) > 1e-3 * expected) throw new Error(`a probe returned ${sum} instead of ${expected}`);
    heap.free(out);
    return work / (milliseconds / 1000);
  }
}

function randomRows({ heap }: Engine, rows: number): number {
  const rng = new Rng(1);
  return heap.upload(Int32Array.from({ length: GATHERED }, () => rng.integer(rows))).address;
}

/** The highest value of each ceiling: those of the quietest moments. */
export function highest(measured: readonly Ceilings[]): Ceilings {
  return combined(measured, (rates) => Math.max(...rates));
}

/** The median of each ceiling: typical of the whole time. */
export function typical(measured: readonly Ceilings[]): Ceilings {
  return combined(measured, (rates) => rates.sort((a, b) => a - b)[rates.length >> 1]);
}

function combined(measured: readonly Ceilings[], combine: (rates: number[]) => number): Ceilings {
  const of = (what: keyof Ceilings) => combine(measured.map((ceilings) => ceilings[what]));
  return {
    threads: measured[0].threads,
    stream: of("stream"),
    gather: of("gather"),
    cached: of("cached"),
    shared: of("shared"),
    flops: of("flops"),
    words: of("words"),
  };
}
