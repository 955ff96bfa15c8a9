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
  /** Makes the `count` flips of largest value that are not made yet and may be. False if there are none left. */
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

/** Flips stay on the device where nothing but their number limits them, so that nobody waits for them. */
export function growingFlips(view: GraphView, from: Flips, candidates: Candidates, task: GrowingTask): GrowingFlips {
  const { budget, constraints } = task;
  const isFree = (!constraints || constraints.isUnlimited) && candidates.blockSize >= budget; // every block has enough that are not made
  return isFree ? new FlipsOnDevice(view, from) : new FlipsOnHost(view, from, constraints);
}
