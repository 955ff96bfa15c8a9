// Lays a graph out by ForceAtlas2, in a worker of its own, and posts positions while it works.
import iterate from "graphology-layout-forceatlas2/iterate";
import type { LaidOut, LayoutTask } from "./layout.ts";

/** Numbers per node and per edge in the arrays of ForceAtlas2, and offsets within those of a node. */
const PER_NODE = 10;
const MASS = 6;
const CONVERGENCE = 7;
const SIZE = 8;
const PER_EDGE = 3;

addEventListener("message", ({ data }: MessageEvent<LayoutTask>) => {
  const { numNodes, edges, begin, iterations, between } = data;
  const nodes = new Float32Array(numNodes * PER_NODE);
  for (let i = 0; i < numNodes; i++) {
    nodes[i * PER_NODE] = begin[2 * i];
    nodes[i * PER_NODE + 1] = begin[2 * i + 1];
    nodes[i * PER_NODE + MASS] = 1;
    nodes[i * PER_NODE + CONVERGENCE] = 1;
    nodes[i * PER_NODE + SIZE] = 1;
  }
  const links = new Float32Array((edges.length / 2) * PER_EDGE);
  for (let e = 0; e < edges.length / 2; e++) {
    const source = edges[2 * e] * PER_NODE;
    const target = edges[2 * e + 1] * PER_NODE;
    links.set([source, target, 1], e * PER_EDGE);
    nodes[source + MASS]++;
    nodes[target + MASS]++;
  }
  const settings = {
    linLogMode: false,
    outboundAttractionDistribution: false,
    adjustSizes: false,
    edgeWeightInfluence: 1,
    scalingRatio: 10,
    strongGravityMode: true,
    gravity: 0.05,
    slowDown: 1 + Math.log(numNodes),
    barnesHutOptimize: numNodes > 500,
    barnesHutTheta: 0.8,
  };
  let last = performance.now();
  for (let k = 1; k <= iterations; k++) {
    iterate(settings, nodes, links);
    const isLast = k === iterations;
    if (!isLast && performance.now() - last < between) continue;
    last = performance.now();
    const positions = new Float32Array(2 * numNodes);
    for (let i = 0; i < numNodes; i++) {
      positions[2 * i] = nodes[i * PER_NODE];
      positions[2 * i + 1] = nodes[i * PER_NODE + 1];
    }
    postMessage({ positions, isLast } satisfies LaidOut, { transfer: [positions.buffer] });
  }
});
