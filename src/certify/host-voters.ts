import { check } from "../core/errors.ts";
import type { Graph } from "../graph/graph.ts";
import type { Noise } from "../graph/noise/noise.ts";
import { NoisyGraphs } from "../graph/noise/noisy-graphs.ts";
import type { Model } from "../nn/model.ts";
import { withNoise } from "../nn/noisy-view.ts";
import { predictNodes } from "../nn/training/predict-nodes.ts";
import { argmaxRows, type GraphView, hostGraph, type IntTensor, scope } from "../tensor/index.ts";
import { SampleConstants } from "./sample-constants.ts";
import { Votes } from "./votes.ts";

/** Noisy graphs to count at a time: few enough to check a signal often, many enough to make up for starting. */
const BATCH = 20;

/** Confidences that differ by less are the same. */
const ROUNDING = 1e-3;

/** Counts votes on noisy graphs that are drawn on the host, one after the other, and seen by models as any other graph. */
export class HostVoters {
  readonly batch = BATCH;
  private readonly models: readonly Model[];
  private readonly view: GraphView;
  private readonly graphs: NoisyGraphs;
  private readonly constants = new SampleConstants();
  private areCertain = false;

  constructor(models: readonly Model[], view: GraphView, noise: Noise, seed: number) {
    this.models = models;
    this.view = view;
    this.graphs = new NoisyGraphs(hostGraph(view, "certify"), noise, seed);
  }

  async count(first: number, end: number): Promise<Votes[]> {
    if (!this.areCertain) await this.checkCertain();
    const votes = this.models.map(() => new Votes(this.view.numNodes, this.graphs.graph.numClasses));
    const count = async (classes: readonly IntTensor[]) => {
      for (const [m, ofModel] of classes.entries()) {
        votes[m].add(await ofModel.read());
        ofModel.dispose();
      }
    };
    let reading = Promise.resolve();
    for (let number = first; number < end; number++) {
      const classes = this.classify(this.graphs.draw(number));
      await reading; // a device works on this graph while the votes on the last one are read
      reading = count(classes);
      reading.catch(() => {}); // reported to whoever awaits it next, not as an unhandled rejection
    }
    await reading;
    return votes;
  }

  dispose(): void {
    this.constants.dispose();
  }

  /**
   * Throws if a model draws random numbers of its own: threads that begin with the same ones would not vote
   * independently.
   */
  private async checkCertain(): Promise<void> {
    for (const model of this.models) {
      const [once, twice] = [await predictNodes(model, this.view), await predictNodes(model, this.view)];
      check(
        once.confidences.every((confidence, node) => Math.abs(confidence - twice.confidences[node]) < ROUNDING),
        () =>
          `certify: ${model.name} draws random numbers and answers differently when it is asked twice about the same graph; certify another model`,
      );
    }
    this.areCertain = true;
  }

  private classify(graph: Graph): IntTensor[] {
    const { constants } = this;
    const pass = { constants, dropout: null };
    constants.forgetEdges();
    return constants.during(() =>
      scope(() => {
        const view = withNoise(this.view, graph);
        return this.models.map((model) => {
          constants.servesNow(model);
          return argmaxRows(model.forward(view, pass));
        });
      }),
    );
  }
}
