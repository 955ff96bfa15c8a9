import type { Noise } from "../graph/noise/noise.ts";
import { checkNoiseOn } from "../graph/noise/noisy-graphs.ts";
import type { Model } from "../nn/model.ts";
import { type GraphView, hostGraph } from "../tensor/index.ts";
import { DeviceVoters } from "./device-voters.ts";
import { HostVoters } from "./host-voters.ts";
import type { Votes } from "./votes.ts";

/** Where noisy graphs are drawn. The same seed gives different graphs in the two places, equally likely ones. */
export type Drawing = "host" | "device";

/**
 * Models that classify the nodes of the same noisy graphs. Any model works that always gives the same answer about a
 * graph: it is run on the noisy graph as on any other. What several models need of a graph, such as its PageRank, is
 * computed once, and `X·W` of a first layer once for all graphs.
 */
export class Voters {
  readonly numClasses: number;
  /**
   * For each model, where its noisy graphs are drawn: on a GPU, if all that it needs of the edges can be computed
   * there. Does not depend on the other models.
   */
  readonly drawings: readonly Drawing[];
  /** How many noisy graphs are best counted at a time. */
  readonly batch: number;
  private readonly onDevice: DeviceVoters | null;
  private readonly onHost: HostVoters | null;

  /** `seed` determines the noisy graphs that are voted on; each goes by its number. */
  constructor(models: readonly Model[], view: GraphView, noise: Noise, seed: number) {
    const graph = hostGraph(view, "certify");
    checkNoiseOn(graph, noise);
    this.numClasses = graph.numClasses;
    this.onDevice = DeviceVoters.open(models, view, noise, seed);
    const able = new Set(this.onDevice?.models);
    const others = models.filter((model) => !able.has(model));
    this.onHost = others.length > 0 || !this.onDevice ? new HostVoters(others, view, noise, seed) : null;
    this.drawings = models.map((model) => (able.has(model) ? "device" : "host"));
    this.batch = (this.onHost ?? this.onDevice!).batch;
  }

  /** The votes of each model over the noisy graphs `first` … `end` − 1. */
  async count(first: number, end: number): Promise<Votes[]> {
    const device = (await this.onDevice?.count(first, end))?.values();
    const host = (await this.onHost?.count(first, end))?.values();
    return this.drawings.map((drawing) => (drawing === "device" ? device : host)!.next().value!);
  }

  dispose(): void {
    this.onDevice?.dispose();
    this.onHost?.dispose();
  }
}
