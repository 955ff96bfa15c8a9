import { breathe } from "../../../core/breathe.ts";
import type { Flips } from "../../../graph/flips.ts";
import type { Model } from "../../../nn/model.ts";
import {
  type Block,
  Constants,
  type GraphView,
  gatherRows,
  IntTensor,
  keep,
  relax,
  tensor,
  type Values,
  valueAndGrad,
} from "../../../tensor/index.ts";
import type { LocalTarget } from "../local-task.ts";
import { type NodeTrials, overlayTrials } from "../node-trials.ts";
import type { NodeBlock } from "./candidate-space.ts";
import { estimateBySlopes } from "./estimate-by-slopes.ts";
import { flippedWeights } from "./flipped-weights.ts";
import { goalLoss, type RowLoss } from "./goal-loss.ts";
import type { NodeGoal, NodeStep, RelaxedNode, RelaxedVictim } from "./relaxed-node.ts";

/** Classes whose slopes are computed; each is a pass over the whole graph. */
const MOST_CLASSES = 3;

/** Any differentiable model: every epoch is a pass over the whole graph, with the candidates laid over it. */
export class OverlayVictim implements RelaxedVictim {
  readonly isCheap = false;
  readonly model: Model;
  readonly view: GraphView;
  readonly constants = new Constants(); // weights do not change
  readonly trials: NodeTrials;

  constructor(model: Model, view: GraphView) {
    this.model = model;
    this.view = view;
    this.trials = overlayTrials(model, view);
  }

  relaxed(target: LocalTarget, goal: NodeGoal): RelaxedNode {
    return new OverlayNode(this, target, goal);
  }

  dispose(): void {
    this.trials.dispose();
    this.constants.dispose();
  }
}

class OverlayNode implements RelaxedNode {
  private readonly victim: OverlayVictim;
  private readonly target: LocalTarget;
  private readonly goal: NodeGoal;
  private laid: DeviceBlock | null = null;

  constructor(victim: OverlayVictim, target: LocalTarget, goal: NodeGoal) {
    this.victim = victim;
    this.target = target;
    this.goal = goal;
  }

  async lay(block: NodeBlock): Promise<void> {
    this.laid?.dispose();
    this.laid = new DeviceBlock(this.victim.view, block);
  }

  async step(weights: Float64Array, rowLoss: RowLoss = goalLoss(this.goal.loss, this.target)): Promise<NodeStep> {
    const { model, view, constants } = this.victim;
    const { floor } = this.goal;
    const block = this.laid!;
    block.weights.assign(weights);
    const { value, aux, grads } = constants.during(() =>
      valueAndGrad(() => {
        const all = model.forward(relax(view, block, floor), { constants, dropout: null });
        const logits = gatherRows(all, IntTensor.from(view.backend, [this.target.node]));
        return [rowLoss(logits), logits] as const;
      }, [block.weights]),
    );
    const reading = [value.item(), aux[0].read(), grads[0].read()] as const;
    for (const made of [value, aux[0], grads[0]]) made.dispose(); // the reads are launched already
    const [lossValue, logits, gradient] = await Promise.all(reading);
    await breathe(); // lets Ctrl-C and timers through
    return { loss: lossValue, logits, gradient: Float64Array.from(gradient) };
  }

  estimate(places: readonly number[]): Promise<Float64Array> {
    const weights = flippedWeights(this.laid!.pairs.length, places, this.goal.floor);
    return estimateBySlopes(this, weights, this.target, MOST_CLASSES);
  }

  logitsAfter(flips: Flips): Promise<Values> {
    return this.victim.trials.logits(this.target.node, flips);
  }

  dispose(): void {
    this.laid?.dispose();
  }
}

/** A copy of a host's block on the device, with weights that each step writes. */
class DeviceBlock implements Block {
  readonly pairs;
  readonly signs;
  readonly weights;
  private readonly view: GraphView;

  constructor(view: GraphView, { sources, targets, signs }: NodeBlock) {
    const { backend, numNodes, directed } = view;
    this.view = view;
    const { length } = signs;
    this.pairs = {
      numNodes,
      directed,
      length,
      sources: backend.upload(sources),
      targets: backend.upload(targets),
    };
    this.signs = keep(tensor(backend, signs, [length]));
    this.weights = keep(tensor(backend, new Float64Array(length), [length]));
  }

  dispose(): void {
    const { backend } = this.view;
    backend.free(this.pairs.sources);
    backend.free(this.pairs.targets);
    this.signs.dispose();
    this.weights.dispose();
  }
}
