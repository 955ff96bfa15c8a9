import { check } from "../../core/errors.ts";
import { Rng } from "../../core/rng.ts";
import type { Csr } from "../csr.ts";
import { Graph, isSparse } from "../graph.ts";
import { mirrorUpper } from "../mirror-upper.ts";
import { checkNoise, isNoisy, type Noise } from "./noise.ts";
import { NoisyRows } from "./noisy-rows.ts";

/** Separates noise from other uses of the same seed, such as initial weights. */
const NOISE = 0x6e6f_6973;

/**
 * The noisy versions of a graph for one seed, by number. Each number has its own random stream: number 17 is the same
 * graph on any thread and in any order of draws (rule R1).
 *
 * The next draw overwrites the arrays of a graph: copy what you keep.
 *
 * @example
 * const graphs = new NoisyGraphs(graph, { edges: { add: 0.001, delete: 0.4 }, features: noNoise }, 0);
 * graphs.draw(17).numEdges;
 */
export class NoisyGraphs {
  readonly graph: Graph;
  readonly noise: Noise;
  private readonly seed: number;
  private readonly edges: NoisyRows | null;
  private readonly features: NoisyRows | null;

  constructor(graph: Graph, noise: Noise, seed: number) {
    checkNoiseOn(graph, noise);
    this.graph = graph;
    this.noise = noise;
    this.seed = new Rng(seed, NOISE).integer(2 ** 53);
    const { adjacency, directed } = graph;
    const places = directed ? "off diagonal" : "above diagonal";
    this.edges = isNoisy(noise.edges) ? new NoisyRows(adjacency, places, noise.edges) : null;
    this.features = isNoisy(noise.features) ? new NoisyRows(graph.features as Csr, "all", noise.features) : null;
  }

  draw(number: number): Graph {
    const rng = new Rng(this.seed, number);
    const adjacency = this.edges ? this.drawEdges(this.edges, rng) : this.graph.adjacency;
    const features = this.features ? this.features.draw(rng) : this.graph.features;
    return new Graph({ ...this.graph, adjacency, features });
  }

  private drawEdges(edges: NoisyRows, rng: Rng): Csr {
    const drawn = edges.draw(rng);
    return this.graph.directed ? drawn : mirrorUpper(drawn);
  }
}

/** Throws unless this noise can be applied to a graph: noise on features needs sparse binary ones. */
export function checkNoiseOn({ name, features }: Graph, noise: Noise): void {
  checkNoise(noise);
  if (!isNoisy(noise.features)) return;
  check(isSparse(features), () => `${name}: noise on features needs sparse binary features, and these are dense`);
  const weighted = features.values?.findIndex((value) => value !== 1) ?? -1;
  check(
    weighted < 0,
    () =>
      `${name}: noise on features needs binary ones, got the value ${features.values![weighted]}; --binary-features makes them so`,
  );
}
