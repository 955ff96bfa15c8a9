/** Every block starts at a multiple of this: a cache line, and room for whole vectors behind the last element. */
export const ALIGNMENT = 64;

export function roundUp(bytes: number, to: number): number {
  return Math.ceil(bytes / to) * to;
}

interface Hole {
  start: number;
  size: number;
}

/**
 * Hands out ranges of one address space, best fit first, and merges neighbouring holes when they come back. It knows
 * numbers only; the memory behind them is grown by the caller through `grow`.
 */
export class Allocator {
  /** Holes by size, then by address, so that the first one that is large enough is the best fit. */
  private readonly bySize: Hole[] = [];
  private readonly byStart = new Map<number, Hole>();
  private readonly byEnd = new Map<number, Hole>();
  private readonly base: number;
  private end: number;
  private readonly limit: number;
  private readonly grow: (end: number) => boolean;

  /** Addresses from `base` up to `limit`; `grow(end)` makes everything below `end` usable, or says that it cannot. */
  constructor(base: number, limit: number, grow: (end: number) => boolean) {
    this.base = base;
    this.end = base;
    this.limit = limit;
    this.grow = grow;
  }

  /** Address of a new block of `size` bytes (a multiple of the alignment), or null if there is no room. */
  take(size: number): number | null {
    const at = this.firstFitting(size);
    const hole = this.bySize[at];
    if (hole) {
      this.remove(hole, at);
      if (hole.size > size) this.insert({ start: hole.start + size, size: hole.size - size });
      return hole.start;
    }
    const last = this.byEnd.get(this.end); // a hole at the end is extended rather than left behind
    const start = last ? last.start : this.end;
    if (start + size > this.limit || !this.grow(start + size)) return null;
    if (last) this.remove(last, this.indexOf(last));
    this.end = start + size;
    return start;
  }

  give(start: number, size: number): void {
    const hole = { start, size };
    const before = this.byEnd.get(start);
    if (before) {
      this.remove(before, this.indexOf(before));
      hole.start = before.start;
      hole.size += before.size;
    }
    const after = this.byStart.get(start + size);
    if (after) {
      this.remove(after, this.indexOf(after));
      hole.size += after.size;
    }
    this.insert(hole);
  }

  /** Bytes between the base and the highest address ever used. */
  get extent(): number {
    return this.end - this.base;
  }

  /** The largest block that could still be had, growth included. */
  get largest(): number {
    const tail = this.byEnd.get(this.end);
    const growth = this.limit - (tail ? tail.start : this.end);
    return Math.max(growth, this.bySize.at(-1)?.size ?? 0);
  }

  private insert(hole: Hole): void {
    this.bySize.splice(this.indexOf(hole), 0, hole);
    this.byStart.set(hole.start, hole);
    this.byEnd.set(hole.start + hole.size, hole);
  }

  private remove(hole: Hole, at: number): void {
    this.bySize.splice(at, 1);
    this.byStart.delete(hole.start);
    this.byEnd.delete(hole.start + hole.size);
  }

  private firstFitting(size: number): number {
    return this.indexOf({ start: 0, size });
  }

  /** Where a hole is, or belongs, in the list by size. */
  private indexOf({ start, size }: Hole): number {
    let low = 0;
    let high = this.bySize.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const other = this.bySize[middle];
      if (other.size < size || (other.size === size && other.start < start)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
