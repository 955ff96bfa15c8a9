import { type Flips, noFlips } from "../../graph/flips.ts";
import type { Constraints } from "./constraints.ts";

/**
 * Which further flips constraints permit, while flips are chosen one by one.
 *
 * @example
 * const allowance = new Allowance(new Constraints(graph, { perNode: 0.5 }));
 * for (const target of [17, 42, 99]) if (allowance.take(0, target)) console.log(`0 – ${target} may be flipped, too`);
 */
export class Allowance {
  private readonly constraints: Constraints | undefined;
  /** Flips at each node that has a limit. */
  private readonly counts = new Map<number, number>();

  /** `made`: flips that are chosen already. Without constraints every pair is permitted. */
  constructor(constraints: Constraints | undefined, made: Flips = noFlips) {
    this.constraints = constraints;
    for (let k = 0; k < made.sources.length; k++) this.count(made.sources[k], made.targets[k], 1);
  }

  /**
   * Whether (i, j) may be flipped in addition to those taken. The caller makes sure that (i, j) itself was not taken
   * before.
   */
  permits(i: number, j: number): boolean {
    const { constraints } = this;
    return !constraints || (constraints.allows(i, j) && this.hasRoom(i) && this.hasRoom(j));
  }

  /** Flips (i, j) if it is permitted; says whether it was. */
  take(i: number, j: number): boolean {
    if (!this.permits(i, j)) return false;
    this.count(i, j, 1);
    return true;
  }

  /** Takes the first pairs that pass and are permitted, at most `count`. */
  takeFirst({ sources, targets }: Flips, count: number, passes: (k: number) => boolean = () => true): Flips {
    const places: number[] = [];
    for (let k = 0; k < sources.length && places.length < count; k++) {
      if (passes(k) && this.take(sources[k], targets[k])) places.push(k);
    }
    return {
      sources: Int32Array.from(places, (k) => sources[k]),
      targets: Int32Array.from(places, (k) => targets[k]),
    };
  }

  /** Takes back a flip that was taken. */
  giveBack(i: number, j: number): void {
    this.count(i, j, -1);
  }

  /** Whether a node can take a further flip. */
  hasRoom(node: number): boolean {
    const { constraints } = this;
    return !constraints || (this.counts.get(node) ?? 0) < constraints.limitOf(node);
  }

  private count(i: number, j: number, step: number): void {
    if (!this.constraints?.hasLimits) return;
    for (const node of [i, j]) this.counts.set(node, (this.counts.get(node) ?? 0) + step);
  }
}
