import type { Flips } from "../../../graph/flips.ts";
import { distanceToGoal } from "../node-outcome.ts";
import type { NodeBlock } from "./candidate-space.ts";
import { type Goal, probabilityDistance } from "./goal-loss.ts";
import type { RelaxedNode } from "./relaxed-node.ts";

/** Flips as places in a block, and how far the goal is on the discrete graph with them. */
export interface TriedFlips {
  readonly places: readonly number[];
  readonly distance: number;
}

/**
 * How discrete graphs are compared: by differences of logits, or by differences of probabilities, which may be too
 * close to 1 to tell graphs apart.
 */
export type DistanceOf = "logits" | "probabilities";

/** Tries flips of a block on the discrete graph. Nothing is tried twice. */
export class FlipTrials {
  /** Discrete graphs that were evaluated. */
  spent = 0;
  private readonly node: RelaxedNode;
  private readonly block: NodeBlock;
  private readonly goal: Goal;
  private readonly distanceOf: DistanceOf;
  private readonly known = new Map<string, number>();

  constructor(node: RelaxedNode, block: NodeBlock, goal: Goal, distanceOf: DistanceOf) {
    this.node = node;
    this.block = block;
    this.goal = goal;
    this.distanceOf = distanceOf;
  }

  async try(places: readonly number[]): Promise<TriedFlips> {
    const sorted = [...places].sort((a, b) => a - b);
    const key = sorted.join();
    let distance = this.known.get(key);
    if (distance === undefined) {
      const logits = await this.node.logitsAfter(this.flipsOf(sorted));
      const { label, towards } = this.goal;
      distance =
        this.distanceOf === "logits" ? distanceToGoal(logits, label, towards) : probabilityDistance(logits, this.goal);
      this.known.set(key, distance);
      this.spent++;
    }
    return { places: sorted, distance };
  }

  /** The pairs at some places of the block. */
  flipsOf(places: readonly number[]): Flips {
    const { sources, targets } = this.block;
    return {
      sources: Int32Array.from(places, (e) => sources[e]),
      targets: Int32Array.from(places, (e) => targets[e]),
    };
  }
}

/** The one that is closer to the goal; the first on ties. */
export function closer(a: TriedFlips, b: TriedFlips): TriedFlips {
  return b.distance < a.distance ? b : a;
}
