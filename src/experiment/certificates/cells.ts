import { type FlipNoise, type Noise, noNoise } from "../../graph/noise/noise.ts";

/** The settings of the noise on edges, as published. */
export const noises = {
  add: { add: 0.001, delete: 0 },
  delete: { add: 0, delete: 0.4 },
  both: { add: 0.001, delete: 0.4 },
} as const satisfies Record<string, FlipNoise>;

export type NoiseName = keyof typeof noises;

/** Models that vote on the same noisy graphs. The GDC models share its PageRank, which is most of the work. */
export interface VotingGroup {
  readonly name: string;
  readonly models: readonly string[];
  /**
   * Samples counted for every cell before any gets more, so that the cells of a stopped table are about equally
   * precise.
   */
  readonly round: number;
}

export const groups: readonly VotingGroup[] = [
  { name: "gcn", models: ["gcn"], round: 10_000 },
  { name: "gdc", models: ["soft-medoid-gdc", "soft-median-gdc"], round: 500 },
];

/** As published: votes that choose a class, votes that bound its probability, and how often a certificate may be wrong. */
export const SAMPLES = { choosing: 100, bounding: 10_000 } as const;
export const ALPHA = 0.05;

/** The noise of a cell: the attributes stay as they are. */
export function noiseOf(name: NoiseName): Noise {
  return { edges: noises[name], features: noNoise };
}
