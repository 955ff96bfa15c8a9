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

/** The name of a known shape. */
export type ShapeName = keyof typeof SHAPES;

/** Shapes of well-known graphs, with the counts of the papers and libraries that publish them. */
export const SHAPES = {
  cora_ml: {
    name: "cora_ml",
    numNodes: 2810,
    numEntries: 15_962,
    numFeatures: 2879,
    numClasses: 7,
    directed: false,
    homophily: 0.78,
  },
  pubmed: {
    name: "pubmed",
    numNodes: 19_717,
    numEntries: 88_648,
    numFeatures: 500,
    numClasses: 3,
    directed: false,
    homophily: 0.8,
  },
  arxiv: {
    name: "arxiv",
    numNodes: 169_343,
    numEntries: 2_332_486,
    numFeatures: 128,
    numClasses: 40,
    directed: false,
    homophily: 0.65,
  },
  products: {
    name: "products",
    numNodes: 2_449_029,
    numEntries: 123_718_280,
    numFeatures: 100,
    numClasses: 47,
    directed: false,
    homophily: 0.81,
  },
  papers100M: {
    name: "papers100M",
    numNodes: 111_059_956,
    numEntries: 1_615_685_872,
    numFeatures: 128,
    numClasses: 172,
    directed: true,
    homophily: 0.57,
  },
} as const satisfies Record<string, Shape>;

/** The known shape of this name; an unknown name is an error that lists the known ones. */
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
