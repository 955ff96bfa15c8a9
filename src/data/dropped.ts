/** How much of an input was left out of the graph or ignored. */
export interface Dropped {
  /** Nodes outside the largest component. */
  readonly nodes: number;
  /** Edges between those nodes, counted as the graph counts its edges. */
  readonly edges: number;
  readonly selfLoops: number;
  /** Stored entries of value 0, which are no edges. */
  readonly zeros: number;
  /** Edges whose weight was ignored. */
  readonly weights: number;
}

/** One line for each kind of thing that was left out, with the way to keep it where there is one. */
export function describeDropped(name: string, numNodes: number, dropped: Dropped): string[] {
  const lines: string[] = [];
  if (dropped.nodes > 0) {
    lines.push(
      `${name}: ${dropped.nodes} of ${numNodes} nodes and ${dropped.edges} edges are outside the largest component and left out; --all-components keeps them`,
    );
  }
  if (dropped.selfLoops > 0) lines.push(`${name}: ${dropped.selfLoops} self loops are left out`);
  if (dropped.zeros > 0) lines.push(`${name}: ${dropped.zeros} stored zeros are no edges`);
  if (dropped.weights > 0) lines.push(`${name}: the weights of ${dropped.weights} edges are ignored`);
  return lines;
}
