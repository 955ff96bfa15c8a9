import { check, lookup } from "../core/errors.ts";

/** The size of a graph without its content. Benchmarks generate graphs with the shape of a known one. */
export interface Shape {
  readonly name: string;
  readonly numNodes: number;
  /** Stored entries to aim at; repeated draws are merged, so a generated graph has a few percent fewer. */
  readonly numEntries: number;
  readonly numFeatures: number;
  readonly numClasses: number;
  readonly directed: boolean;
  /** Share of the edges within a class. */
  readonly homophily: number;
}

export type ShapeName = keyof typeof SHAPES;

/** Shapes of well-known graphs, with the counts of the papers and libraries that publish them. */
export const SHAPES = {
  cora_ml: shape("cora_ml", 2810, 15_962, 2879, 7, 0.78),
  pubmed: shape("pubmed", 19_717, 88_648, 500, 3, 0.8),
  arxiv: shape("arxiv", 169_343, 2_332_486, 128, 40, 0.65),
  products: shape("products", 2_449_029, 123_718_280, 100, 47, 0.81),
  papers100M: { ...shape("papers100M", 111_059_956, 1_615_685_872, 128, 172, 0.57), directed: true },
} as const satisfies Record<string, Shape>;

export function shapeNamed(name: string): Shape {
  return lookup(SHAPES as Record<string, Shape>, name, "shape");
}

/** A smaller or larger shape with the same degrees: `scale` times the nodes and entries. */
export function scaleShape(shape: Shape, scale: number): Shape {
  check(
    scale > 0 && Number.isFinite(scale),
    () => `scaleShape: scale must be above 0, got ${scale}; 0.01 is a hundredth`,
  );
  if (scale === 1) return shape;
  const numNodes = Math.max(2 * shape.numClasses, Math.round(shape.numNodes * scale));
  const numEntries = Math.round((shape.numEntries / shape.numNodes) * numNodes);
  return { ...shape, name: `${shape.name}-x${scale}`, numNodes, numEntries };
}

function shape(
  name: string,
  numNodes: number,
  numEntries: number,
  numFeatures: number,
  numClasses: number,
  homophily: number,
): Shape {
  return { name, numNodes, numEntries, numFeatures, numClasses, directed: false, homophily };
}
