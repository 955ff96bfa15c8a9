import { breathe } from "../../core/breathe.ts";
import type { Flips } from "../../graph/flips.ts";
import type { Model } from "../../nn/model.ts";
import { Pprgo } from "../../nn/models/pprgo.ts";
import {
  Constants,
  type GraphView,
  gatherRows,
  hostGraph,
  IntTensor,
  relax,
  scope,
  type Values,
  withFlips,
} from "../../tensor/index.ts";
import { blockOfFlips } from "../block.ts";
import { directedRows } from "./attacked-graph.ts";
import { nodeLogits } from "./node-logits.ts";
import { cleanStack, isStack } from "./patched/clean-stack.ts";
import { PatchedPass } from "./patched/patched-pass.ts";
import { PatchedTrials } from "./patched/patched-trials.ts";
import { PushedTrials } from "./pushed-trials.ts";

/** Tries flips of the clean graph on single nodes, for attacks and {@link fewestFlips}, which do so many times. */
export interface NodeTrials {
  /** Logits of `node` on the clean graph with these flips. */
  logits(node: number, flips: Flips): Promise<Values>;
  dispose(): void;
}

/** Whether {@link nodeTrials} reads the surroundings of a node instead of the whole graph. */
export function areTrialsCheap(model: Model): boolean {
  return model instanceof Pprgo || isStack(model);
}

/** The cheapest exact way to evaluate single nodes that a model offers. The caller disposes it. */
export function nodeTrials(model: Model, view: GraphView): NodeTrials {
  if (model instanceof Pprgo) {
    return new PushedTrials(model, directedRows(hostGraph(view, model.name)));
  }
  if (isStack(model)) return new PatchedTrials(async () => new PatchedPass((await cleanStack(model, view, "logits"))!));
  return model.differentiable.edges ? new OverlayTrials(model, view) : new DiscreteTrials(model, view);
}

/** Trials by whole passes, for models that see overlays. Patched passes are compared with them. */
export function overlayTrials(model: Model, view: GraphView): NodeTrials {
  return new OverlayTrials(model, view);
}

/** A forward pass with the flips laid over the graph, for models that see overlays. */
class OverlayTrials implements NodeTrials {
  private readonly constants = new Constants(); // weights do not change
  private readonly model: Model;
  private readonly view: GraphView;

  constructor(model: Model, view: GraphView) {
    this.model = model;
    this.view = view;
  }

  async logits(node: number, flips: Flips): Promise<Values> {
    const { model, view, constants } = this;
    const block = blockOfFlips(view, flips);
    const row = constants.during(() =>
      scope(() => {
        const all = model.forward(relax(view, block, 0), { constants, dropout: null });
        return gatherRows(all, IntTensor.from(view.backend, [node]));
      }),
    );
    block.dispose();
    const values = await row.read().finally(() => row.dispose());
    await breathe();
    return values;
  }

  dispose(): void {
    this.constants.dispose();
  }
}

/** A forward pass on a rebuilt graph, for any model. */
class DiscreteTrials implements NodeTrials {
  private readonly model: Model;
  private readonly view: GraphView;

  constructor(model: Model, view: GraphView) {
    this.model = model;
    this.view = view;
  }

  async logits(node: number, flips: Flips): Promise<Values> {
    const perturbed = withFlips(this.view, flips);
    const [row] = await nodeLogits(this.model, perturbed, [node]).finally(() => perturbed.dispose());
    await breathe();
    return row;
  }

  dispose(): void {}
}
