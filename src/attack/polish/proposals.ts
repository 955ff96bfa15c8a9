import type { Rng } from "../../core/rng.ts";
import { type Candidates, candidatesFor } from "../constraints/candidates.ts";
import type { Constraints } from "../constraints/constraints.ts";
import { strongestByGradient } from "../gradient-step.ts";
import { type AttackLoss, tanhCw } from "../losses.ts";
import type { Victim } from "../victim.ts";
import { type FlipLedger, type Pair, toPairs } from "./flip-ledger.ts";

/** Where a search gets pairs that it might flip. */
export interface Proposals {
  /** About `count` pairs that are not flipped yet and that constraints permit. */
  draw(ledger: FlipLedger, count: number): Promise<Pair[]>;
  dispose(): void;
}

/** How pairs are proposed. */
export interface ProposalOptions {
  readonly blockSize: number;
  readonly constraints: Constraints | undefined;
  readonly rng: Rng;
}

/** Proposals by the gradient if the model has one, else at random. */
export function proposalsFor(victim: Victim, options: ProposalOptions): Proposals {
  return victim.model.differentiable.edges ? new ByGradient(victim, options) : new TowardsRightNodes(victim, options);
}

/** The pairs of a fresh block whose flip lowers the margins of right nodes most, to first order. */
class ByGradient implements Proposals {
  private readonly victim: Victim;
  private readonly constraints: Constraints | undefined;
  private readonly candidates: Candidates;
  private readonly loss: AttackLoss;

  constructor(victim: Victim, { blockSize, constraints, rng }: ProposalOptions) {
    this.victim = victim;
    this.constraints = constraints;
    this.candidates = candidatesFor(victim.view, constraints, { blockSize, floor: 0, draw: "stratified", rng });
    this.loss = victim.objective.loss ?? tanhCw;
  }

  async draw(ledger: FlipLedger, count: number): Promise<Pair[]> {
    const { victim, candidates, constraints, loss } = this;
    const choice = { soFar: ledger.flips, count, constraints, loss };
    return toPairs((await strongestByGradient(victim, candidates, choice)).chosen);
  }

  dispose(): void {
    this.candidates.dispose();
  }
}

/** Pairs of an attacked node that still counts, preferably one with a small margin, and any other node. */
class TowardsRightNodes implements Proposals {
  private readonly victim: Victim;
  private readonly rng: Rng;

  constructor(victim: Victim, { rng }: ProposalOptions) {
    this.victim = victim;
    this.rng = rng;
  }

  async draw(ledger: FlipLedger, count: number): Promise<Pair[]> {
    const { view, attacked } = this.victim;
    const nodes = await attacked.nodes.read();
    await ledger.standing.refresh();
    const margins = ledger.standing.margins();
    const isOpen = (node: number) => margins === null || margins[node] > 0;
    const open = nodes.filter(isOpen);
    const found = new Map<string, Pair>();
    for (let tries = 0; tries < 4 * count && found.size < count && open.length > 0; tries++) {
      const a = this.weaker(open, margins);
      const b = this.rng.integer(view.numNodes);
      const pair: Pair = view.directed || a < b ? [a, b] : [b, a];
      if (a !== b && !ledger.has(pair) && ledger.permits(pair)) found.set(String(pair), pair);
    }
    return [...found.values()];
  }

  dispose(): void {}

  /** Of two random nodes the one with the smaller margin. */
  private weaker(nodes: Int32Array, margins: Float32Array | null): number {
    const a = nodes[this.rng.integer(nodes.length)];
    const b = nodes[this.rng.integer(nodes.length)];
    return margins !== null && margins[b] < margins[a] ? b : a;
  }
}
