import type { Model } from "../../../nn/model.ts";
import { Pprgo } from "../../../nn/models/pprgo.ts";
import type { DenominatorGradient } from "../../../ppr/row-update.ts";
import { type GraphView, hostGraph } from "../../../tensor/index.ts";
import { checkDifferentiable } from "../../victim.ts";
import { directedRows } from "../attacked-graph.ts";
import type { Influence } from "../local-task.ts";
import { cleanStack } from "../patched/clean-stack.ts";
import { OverlayVictim } from "./overlay-victim.ts";
import { PatchedVictim } from "./patched-victim.ts";
import { checkDirect, PprgoVictim } from "./pprgo-victim.ts";
import type { RelaxedVictim } from "./relaxed-node.ts";

/** How a model is relaxed. */
export interface RelaxedVictimOptions {
  readonly blockSize: number;
  readonly denominator: DenominatorGradient;
  /** Compute only rows that change, if the model is a stack of convolutions. */
  readonly patched: boolean;
}

/** Throws if {@link relaxedVictim} cannot relax these edges of the model, whatever its weights. */
export function checkRelaxable(model: Model, influence: Influence): void {
  if (model instanceof Pprgo) checkDirect(model, influence);
  else checkDifferentiable("local-prbcd", model);
}

/** The cheapest way to relax the edges of single nodes that a model offers. The caller disposes it. */
export async function relaxedVictim(
  model: Model,
  view: GraphView,
  { blockSize, denominator, patched }: RelaxedVictimOptions,
): Promise<RelaxedVictim> {
  if (model instanceof Pprgo) {
    const graph = hostGraph(view, model.name);
    return new PprgoVictim(model, directedRows(graph), {
      push: (nodes) => model.rowsFor(graph, nodes),
      blockSize,
      denominator,
    });
  }
  checkDifferentiable("local-prbcd", model);
  const stack = patched ? await cleanStack(model, view, "gradients") : null;
  if (stack) return new PatchedVictim(stack);
  return new OverlayVictim(model, view);
}
