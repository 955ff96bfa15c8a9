import type { Graph } from "../graph/graph.ts";
import type { Noise } from "../graph/noise/noise.ts";
import { NoisyGraphs } from "../graph/noise/noisy-graphs.ts";
import type { Model } from "../nn/model.ts";
import { withNoise } from "../nn/noisy-view.ts";
import { argmaxRows, type GraphView, hostGraph, type IntTensor, scope } from "../tensor/index.ts";
import { SampleConstants } from "./sample-constants.ts";
import { Votes } from "./votes.ts";

/**
 * Models that classify the nodes of the same noisy graphs. Any model will do: it is run on the noisy graph as on any other. What several
 * models need of a graph, such as its PageRank, is computed once, and `X·W` of a first layer once for all graphs.
 */
export class Voters {
  private readonly models: readonly Model[];
  private readonly view: GraphView;
  private readonly graphs: NoisyGraphs;
  private readonly constants = new SampleConstants();

  /** `seed` stands for the noisy graphs that are voted on, by their numbers. */
  constructor(models: readonly Model[], view: GraphView, noise: Noise, seed: number) {
    this.models = models;
    this.view = view;
    this.graphs = new NoisyGraphs(hostGraph(view, "certify"), noise, seed);
  }

  get numClasses(): number {
    return this.graphs.graph.numClasses;
  }

  /** The votes of each model over the noisy graphs `first` … `end` − 1. */
  async count(first: number, end: number): Promise<Votes[]> {
    const votes = this.models.map(() => new Votes(this.view.numNodes, this.numClasses));
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

  private classify(graph: Graph): IntTensor[] {
    const { constants } = this;
    const pass = { constants, dropout: null };
    constants.forgetEdges();
    return constants.during(() =>
      scope(() => {
        const view = withNoise(this.view, graph);
        return this.models.map((model) => argmaxRows(model.forward(view, pass)));
      }),
    );
  }
}
