import { type Flips, noFlips } from "../../graph/flips.ts";
import type { Block, GraphView, Tensor } from "../../tensor/index.ts";
import { blockOfFlips, type CandidateBlock } from "../block.ts";
import { toggleFlips } from "../choose-flips.ts";
import type { Constraints } from "../constraints/constraints.ts";
import { strongestPermitted } from "../constraints/strongest-permitted.ts";
import { negateFlippedSigns } from "../gradient-step.ts";
import type { GrowingFlips } from "./growing-flips.ts";

/** Flips that the host chooses one by one, because what may be flipped depends on what is flipped already. */
export class FlipsOnHost implements GrowingFlips {
  private readonly view: GraphView;
  private readonly constraints: Constraints | undefined;
  /** The flips of each step; the first element has those it started from. */
  private readonly steps: Flips[];
  private soFar: Flips;
  private made: CandidateBlock;

  constructor(view: GraphView, from: Flips, constraints: Constraints | undefined) {
    this.view = view;
    this.constraints = constraints;
    this.soFar = toggleFlips(noFlips, from);
    this.steps = [this.soFar];
    this.made = blockOfFlips(view, this.soFar);
  }

  get block(): Block {
    return this.made;
  }

  /**
   * Negates the signs of flipped pairs, so that these are hardly ever among the strongest and do not crowd out others.
   */
  offer(candidates: CandidateBlock): void {
    negateFlippedSigns(this.view, candidates, this.made);
  }

  async add({ pairs }: CandidateBlock, values: Tensor, count: number): Promise<boolean> {
    const chosen = await strongestPermitted(pairs, values, count, this.constraints, this.soFar);
    this.steps.push(chosen);
    this.soFar = toggleFlips(this.soFar, chosen);
    this.made.dispose();
    this.made = blockOfFlips(this.view, this.soFar);
    return chosen.sources.length > 0;
  }

  async after(steps: number): Promise<Flips> {
    return this.steps.slice(0, steps + 1).reduce(toggleFlips, noFlips);
  }

  dispose(): void {
    this.made.dispose();
  }
}
