import type { Flips } from "../../graph/flips.ts";
import type { Block, GraphView, Tensor } from "../../tensor/index.ts";
import type { CandidateBlock } from "../block.ts";
import type { Candidates } from "../constraints/candidates.ts";
import type { Constraints } from "../constraints/constraints.ts";
import { FlipsOnDevice } from "./flips-on-device.ts";
import { FlipsOnHost } from "./flips-on-host.ts";

/** The flips of a greedy attack, which makes some more in every step and takes none back. */
export interface GrowingFlips {
  /** All flips so far, at full weight. */
  readonly block: Block;
  /** To be called with candidates before their gradient is computed. */
  offer(candidates: CandidateBlock): void;
  /**
   * Makes the `count` flips with the largest values that are not made yet and that constraints permit. False if none
   * are left.
   */
  add(candidates: CandidateBlock, values: Tensor, count: number): Promise<boolean>;
  /** The flips after so many steps, in ascending order. */
  after(steps: number): Promise<Flips>;
  dispose(): void;
}

/** What decides where flips are kept. */
export interface GrowingTask {
  readonly budget: number;
  readonly constraints: Constraints | undefined;
}

/** Keeps flips on the device if only their number is limited, so that the host does not wait for them. */
export function growingFlips(view: GraphView, from: Flips, candidates: Candidates, task: GrowingTask): GrowingFlips {
  const { budget, constraints } = task;
  // A block as large as the budget always has enough pairs that are not flipped yet.
  const isFree = (!constraints || constraints.isUnlimited) && candidates.blockSize >= budget;
  return isFree ? new FlipsOnDevice(view, from) : new FlipsOnHost(view, from, constraints);
}
