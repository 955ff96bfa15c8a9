import { hasEntry } from "../../graph/csr.ts";
import type { LinearTwoStep } from "./linear-two-step.ts";
import type { TwoStepRow } from "./two-step-row.ts";
import { nodesWithinTwoSteps } from "./two-steps.ts";

/**
 * The gradient of z_to − z_from at the node of a row by the weights of edges, with the degrees held fixed. With f the difference of the
 * two columns of F and t the node, the gradient by {u, v} is s_u s_v (δ_tu (Âf)_v + Â_tu f_v + δ_tv (Âf)_u + Â_tv f_u).
 */
export class TwoStepGradient {
  private readonly model: LinearTwoStep;
  private readonly row: TwoStepRow;
  private readonly classes: { readonly from: number; readonly to: number };
  /** The nodes whose edges count; null for all. */
  private readonly within: ReadonlySet<number> | null;

  constructor(
    model: LinearTwoStep,
    row: TwoStepRow,
    classes: { from: number; to: number },
    context: "graph" | "subgraph",
  ) {
    this.model = model;
    this.row = row;
    this.classes = classes;
    this.within = context === "graph" ? null : nodesWithinTwoSteps(model.graph, row.node);
  }

  /** The gradient by the weight of the edge between u and v. */
  at(u: number, v: number): number {
    return this.row.scale(u) * this.row.scale(v) * (this.oneWay(u, v) + this.oneWay(v, u));
  }

  /** The gradient by a flip of the pair: negated if the pair is an edge. */
  ofFlip(u: number, v: number): number {
    const slope = this.at(u, v);
    return this.row.hasEdge(u, v) ? -slope : slope;
  }

  /** δ_tu (Âf)_v + Â_tu f_v */
  private oneWay(u: number, v: number): number {
    const { row } = this;
    const own = u === row.node ? row.scale(v) * this.sum(v) : 0;
    const through = row.isNear(u) ? row.scale(row.node) * row.scale(u) * this.difference(row.score(v)) : 0;
    return own + through;
  }

  /** h_v, over the edges that count. */
  private sum(v: number): number {
    const { row, within } = this;
    if (within === null) return this.difference(row.sum(v));
    const { adjacency } = this.model.graph;
    let sum = row.scale(v) * this.difference(row.score(v));
    for (const x of row.neighbours(v)) {
      const counts = (within.has(v) && within.has(x)) || !hasEntry(adjacency, v, x);
      if (counts) sum += row.scale(x) * this.difference(row.score(x));
    }
    return sum;
  }

  private difference(values: ArrayLike<number>): number {
    return values[this.classes.to] - values[this.classes.from];
  }
}
