import type { Rng } from "../../core/rng.ts";
import { isNoisy } from "../../graph/noise/noise.ts";
import { NoisyGraphs } from "../../graph/noise/noisy-graphs.ts";
import { type GraphView, hostGraph } from "../../tensor/index.ts";
import { withNoise } from "../noisy-view.ts";
import type { NoiseConfig } from "./options.ts";

/** The noisy graphs that a model is trained on, one per epoch. */
export class NoisyViews {
  private readonly clean: GraphView;
  private readonly graphs: NoisyGraphs;

  private constructor(clean: GraphView, graphs: NoisyGraphs) {
    this.clean = clean;
    this.graphs = graphs;
  }

  /** Null without noise. Nothing is drawn from `rng` then, so that training without noise keeps its random numbers. */
  static for(clean: GraphView, config: NoiseConfig, rng: Rng): NoisyViews | null {
    const edges = { add: config.edgeNoiseAdd, delete: config.edgeNoiseDelete };
    const features = { add: config.featureNoiseAdd, delete: config.featureNoiseDelete };
    if (!isNoisy(edges) && !isNoisy(features)) return null;
    const graphs = new NoisyGraphs(hostGraph(clean, "training with noise"), { edges, features }, rng.integer(2 ** 53));
    return new NoisyViews(clean, graphs);
  }

  /** The view that an epoch trains on; it lives until the end of the epoch's scope. */
  view(epoch: number): GraphView {
    return withNoise(this.clean, this.graphs.draw(epoch));
  }
}
