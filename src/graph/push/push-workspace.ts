/**
 * The state of one push, in float32. A node gets a slot, an index into these arrays, when it is first visited. Clearing
 * costs only what was visited, so one workspace serves any number of rows.
 */
export interface PushWorkspace {
  readonly estimate: Float32Array;
  readonly residual: Float32Array;
  readonly threshold: Float32Array;
  /** 1 while the node is on the stack. */
  readonly stacked: Uint8Array;
  /** Number of nodes visited so far. */
  readonly visited: number;
  /** The slot of `node`. `threshold` is called for a new node. The arrays may be replaced by larger ones. */
  slotOf(node: number, threshold: (node: number) => number): number;
  nodeAt(slot: number): number;
  /** Slot of the t-th node visited. */
  visitedAt(t: number): number;
  /** Forgets all nodes. */
  clear(): void;
}

/** One slot per node of the graph: no searching, but memory grows with the graph. */
export class DenseWorkspace implements PushWorkspace {
  readonly estimate: Float32Array;
  readonly residual: Float32Array;
  readonly threshold: Float32Array;
  readonly stacked: Uint8Array;
  visited = 0;
  private readonly isVisited: Uint8Array;
  private readonly order: Int32Array;

  constructor(numNodes: number) {
    this.estimate = new Float32Array(numNodes);
    this.residual = new Float32Array(numNodes);
    this.threshold = new Float32Array(numNodes);
    this.stacked = new Uint8Array(numNodes);
    this.isVisited = new Uint8Array(numNodes);
    this.order = new Int32Array(numNodes);
  }

  slotOf(node: number, threshold: (node: number) => number): number {
    if (this.isVisited[node]) return node;
    this.isVisited[node] = 1;
    this.order[this.visited++] = node;
    this.threshold[node] = threshold(node);
    return node;
  }

  nodeAt(slot: number): number {
    return slot;
  }

  visitedAt(t: number): number {
    return this.order[t];
  }

  clear(): void {
    for (let t = 0; t < this.visited; t++) {
      const slot = this.order[t];
      this.estimate[slot] = 0;
      this.residual[slot] = 0;
      this.isVisited[slot] = 0;
    }
    this.visited = 0;
  }
}

const FIRST_CAPACITY = 1024;

/** Slots in the order of visits, found by hashing: memory grows with what is visited, not with the graph. */
export class HashWorkspace implements PushWorkspace {
  estimate: Float32Array = new Float32Array(FIRST_CAPACITY);
  residual: Float32Array = new Float32Array(FIRST_CAPACITY);
  threshold: Float32Array = new Float32Array(FIRST_CAPACITY);
  stacked: Uint8Array = new Uint8Array(FIRST_CAPACITY);
  private readonly slots = new Map<number, number>();
  private nodes = new Float64Array(FIRST_CAPACITY);

  get visited(): number {
    return this.slots.size;
  }

  slotOf(node: number, threshold: (node: number) => number): number {
    const known = this.slots.get(node);
    if (known !== undefined) return known;
    const slot = this.slots.size;
    if (slot === this.nodes.length) this.grow();
    this.slots.set(node, slot);
    this.nodes[slot] = node;
    this.threshold[slot] = threshold(node);
    return slot;
  }

  nodeAt(slot: number): number {
    return this.nodes[slot];
  }

  visitedAt(t: number): number {
    return t;
  }

  clear(): void {
    this.estimate.fill(0, 0, this.visited);
    this.residual.fill(0, 0, this.visited);
    this.slots.clear();
  }

  private grow(): void {
    this.estimate = doubled(this.estimate);
    this.residual = doubled(this.residual);
    this.threshold = doubled(this.threshold);
    this.stacked = doubled(this.stacked);
    this.nodes = doubled(this.nodes);
  }
}

function doubled<T extends Float32Array | Float64Array | Uint8Array>(array: T): T {
  const larger = new (array.constructor as new (length: number) => T)(2 * array.length);
  larger.set(array);
  return larger;
}
