import type { Engine } from "../engine/engine.ts";
import type { WasmBuffer } from "../engine/memory.ts";
import { PANEL } from "../sparse/panel-entries.ts";
import type { OrderedSystem } from "./ordered-system.ts";

/** Products per stage that improve the bound: one more would cost about what it saves in iterations. */
const SWEEPS = 4;
/** Rows per chunk of such a product. */
const ROWS = 512;
/** Share of the old vector in the next one: without it, the vector of a bipartite part would alternate. */
const DAMPING = 0.2;
/** Lower bound of the vector's elements: the bound divides by them, so none may be 0. */
const SMALLEST = 1e-30;

/** An ordered system in the memory of the kernels. */
export interface SystemAddresses {
  readonly rowPtr: number;
  readonly entries: number;
}

/**
 * The rows and columns of an ordered system from some place on: where its entries begin in each row, and a bound on its
 * spectral radius. The place may only grow.
 */
export class TrailingPart {
  /** Where entries of the part begin in each row; i32. */
  readonly split: WasmBuffer;
  /** Upper bound on the spectral radius. A smaller part never has a larger radius, so an old bound stays valid. */
  radius = Number.POSITIVE_INFINITY;
  private readonly engine: Engine;
  private readonly system: OrderedSystem;
  private readonly addresses: SystemAddresses;
  private readonly vector: WasmBuffer;
  private readonly product: WasmBuffer;

  constructor(engine: Engine, system: OrderedSystem, addresses: SystemAddresses) {
    this.engine = engine;
    this.system = system;
    this.addresses = addresses;
    this.split = engine.heap.upload(system.rowPtr.slice(0, -1));
    this.vector = engine.heap.upload(system.positive);
    this.product = engine.heap.alloc("f32", system.positive.length);
  }

  beginAt(first: number): void {
    const { rowPtr, entries } = this.system;
    const split = this.engine.heap.values(this.split);
    let size = 0;
    for (let i = first; i < split.length; i++) {
      const end = rowPtr[i + 1];
      let e = split[i];
      while (e < end && entries[2 * e] < 4 * PANEL * first) e++;
      split[i] = e;
      size += end - e;
    }
    if (size === 0) this.radius = 0;
    else for (let sweep = 0; sweep < SWEEPS; sweep++) this.improveBound(first);
  }

  free(): void {
    for (const buffer of [this.split, this.vector, this.product]) this.engine.heap.free(buffer);
  }

  /** Collatz and Wielandt: max (Gx)_i / x_i is at least the spectral radius for any x > 0; steps x ← Gx improve it. */
  private improveBound(first: number): void {
    const { engine, addresses, split } = this;
    const vector = engine.heap.values(this.vector);
    const product = engine.heap.values(this.product);
    const n = vector.length;
    const system = [addresses.rowPtr + 4 * first, split.address + 4 * first, addresses.entries];
    engine.run("trailingProduct", n - first, ROWS, this.product.address + 4 * first, this.vector.address, ...system);
    let bound = 0;
    for (let i = first; i < n; i++) bound = Math.max(bound, product[i] / vector[i]);
    this.radius = Math.min(this.radius, bound);
    for (let i = first; i < n; i++) {
      vector[i] = Math.max((product[i] / bound + DAMPING * vector[i]) / (1 + DAMPING), SMALLEST);
    }
  }
}
