import type { Flips } from "../../graph/flips.ts";
import { NodeMultipliers } from "./node-multipliers.ts";

/** What weights are projected onto: Σ p ≤ budget, Σ over the pairs at a node ≤ its limit, 0 ≤ p ≤ 1. */
export interface Limits {
  readonly numNodes: number;
  readonly budget: number;
  readonly limitOf: (node: number) => number;
}

/** How far the sum of the weights may be from the budget, as a share of it. */
const TOLERANCE = 1e-5;
/** The search for λ ends after this many steps at the latest; it takes about five. */
const MAX_STEPS = 100;

/** A multiplier and by how much the sum of the weights then exceeds the budget. */
interface Probe {
  readonly lambda: number;
  readonly excess: number;
}

/**
 * Euclidean projection with a budget for all pairs and a limit for each node.
 *
 * By duality p = clip(v − λ − μ_i − μ_j, 0, 1) with a multiplier λ ≥ 0 for the budget and μ ≥ 0 for each node, positive
 * only where the sum is at its limit. {@link NodeMultipliers} finds μ for a given λ. The sum of the weights falls as λ
 * rises, so λ is found by false position. Multipliers are kept as a start for the next call, which makes it faster.
 */
export class LimitedProjection {
  private readonly limits: Limits;
  private readonly nodes: NodeMultipliers;
  private lambda = 0;

  constructor(limits: Limits) {
    this.limits = limits;
    this.nodes = new NodeMultipliers(limits.numNodes, limits.limitOf);
  }

  /** The projected weights of these pairs; all other weights count as 0. */
  project(pairs: Flips, values: Float64Array): Float64Array {
    this.nodes.take(pairs, values);
    this.lambda = this.multiplier(values);
    return this.nodes.weights(this.lambda);
  }

  /** λ: 0 if the limits of the nodes alone keep the weights within the budget. */
  private multiplier(values: Float64Array): number {
    const { budget } = this.limits;
    const probe = (lambda: number): Probe => ({ lambda, excess: this.nodes.solve(lambda) - budget });
    const isRight = ({ lambda, excess }: Probe) =>
      excess <= TOLERANCE * budget && (lambda === 0 || excess >= -TOLERANCE * budget);
    const last = probe(this.lambda);
    if (isRight(last)) return last.lambda;
    if (last.excess > 0) return falsePosition(last, { lambda: maximum(values), excess: -budget }, probe, isRight);
    const none = probe(0);
    return isRight(none) ? 0 : falsePosition(none, last, probe, isRight);
  }
}

/** The λ at which the excess is 0, between a probe with an excess above 0 and one below. */
function falsePosition(
  above: Probe,
  below: Probe,
  probe: (lambda: number) => Probe,
  isRight: (probe: Probe) => boolean,
): number {
  let low = above;
  let high = below;
  let side = 0;
  for (let step = 0; step < MAX_STEPS; step++) {
    const share = low.excess / (low.excess - high.excess);
    const here = probe(low.lambda + Math.min(Math.max(share, 0.01), 0.99) * (high.lambda - low.lambda));
    if (isRight(here)) return here.lambda;
    // An end that stays twice has its excess halved (the Illinois rule), so that both ends move.
    if (here.excess > 0) {
      low = here;
      if (side > 0) high = { ...high, excess: high.excess / 2 };
    } else {
      high = here;
      if (side < 0) low = { ...low, excess: low.excess / 2 };
    }
    side = Math.sign(here.excess);
  }
  return high.lambda;
}

function maximum(values: Float64Array): number {
  let largest = 0;
  for (const value of values) if (value > largest) largest = value;
  return largest;
}
