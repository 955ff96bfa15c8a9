import type { Engine } from "../backend/wasm/engine/engine.ts";
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

/** Milliseconds of one run, from as many as it takes. */
type Stopwatch = (run: () => void) => number;

/** The best of many runs: what the machine can do. */
export async function measureCeilings(threads: number): Promise<Ceilings> {
  const probes = await CeilingProbes.open(threads);
  try {
    return probes.measure((run) => measure([{ run }])[0].best);
  } finally {
    await probes.close();
  }
}

/** Loops that do nothing else (`backend/wasm/assembly/bench/ceiling-loops.ts`), ready to run again and again; they check that they did it. */
export class CeilingProbes {
  private readonly engine: Engine;
  private readonly x: number;
  /** Random rows to gather, by the number of rows that there are. */
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

  /** What the machine does in the times that `watch` finds. */
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

  /** s ← s·½ + ½ has the fixed point 1, which twelve vectors of four reach in every chunk. */
  private flops(watch: Stopwatch): number {
    const slots = MADD_STEPS / MADD_GRAIN;
    return this.rate(watch, slots, MADD_STEPS * MADD_FLOPS, slots * 48, (out) => {
      this.engine.run("multiplyAddCeiling", MADD_STEPS, MADD_GRAIN, out, 0.5, MADD_GRAIN);
    });
  }

  /** Four words per counter, half of which begin with a one. */
  private words(watch: Stopwatch): number {
    return this.rate(watch, COUNTERS / COUNTER_GRAIN, 4 * COUNTERS, 2 * COUNTERS, (out) => {
      this.engine.run("randomWordCeiling", COUNTERS, COUNTER_GRAIN, out, 1, 2, COUNTER_GRAIN);
    });
  }

  /** Work per second, once the sum over all slots of four floats is what the loop must give. */
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

/** The highest of some measurements in everything: what was measured in the quietest moment. */
export function highest(measured: readonly Ceilings[]): Ceilings {
  return combined(measured, (rates) => Math.max(...rates));
}

/** The median of some measurements in everything: what the machine did most of the time. */
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
