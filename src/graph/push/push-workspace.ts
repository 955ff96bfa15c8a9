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
const NOBODY = -1;

/** Slots in the order of visits, found by hashing: memory grows with what is visited, not with the graph. */
export class HashWorkspace implements PushWorkspace {
  estimate: Float32Array = new Float32Array(FIRST_CAPACITY);
  residual: Float32Array = new Float32Array(FIRST_CAPACITY);
  threshold: Float32Array = new Float32Array(FIRST_CAPACITY);
  stacked: Uint8Array = new Uint8Array(FIRST_CAPACITY);
  visited = 0;
  private nodes = new Float64Array(FIRST_CAPACITY);
  /** Twice as many places as slots, a power of two; a node's slot is at its hash or at the next free place after it. */
  private places = new Int32Array(2 * FIRST_CAPACITY).fill(NOBODY);

  slotOf(node: number, threshold: (node: number) => number): number {
    const { places, nodes } = this;
    let place = this.firstPlace(node);
    for (let slot = places[place]; slot !== NOBODY; slot = places[place]) {
      if (nodes[slot] === node) return slot;
      place = (place + 1) & (places.length - 1);
    }
    if (this.visited === nodes.length) {
      this.grow();
      return this.slotOf(node, threshold);
    }
    const slot = this.visited++;
    places[place] = slot;
    nodes[slot] = node;
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
    if (this.visited > this.places.length / 8) this.places.fill(NOBODY);
    else for (let slot = 0; slot < this.visited; slot++) this.forget(this.nodes[slot]);
    this.visited = 0;
  }

  /**
   * Frees the places from the node's first one to the next free one. Some belong to other nodes, which are all
   * forgotten as well.
   */
  private forget(node: number): void {
    const { places } = this;
    for (let place = this.firstPlace(node); places[place] !== NOBODY; place = (place + 1) & (places.length - 1)) {
      places[place] = NOBODY;
    }
  }

  /** Multiplication by a large odd number spreads neighbouring nodes over all places. */
  private firstPlace(node: number): number {
    return (Math.imul(node, 0x9e3779b1) >>> 8) & (this.places.length - 1);
  }

  private grow(): void {
    this.estimate = doubled(this.estimate);
    this.residual = doubled(this.residual);
    this.threshold = doubled(this.threshold);
    this.stacked = doubled(this.stacked);
    this.nodes = doubled(this.nodes);
    this.places = new Int32Array(2 * this.places.length).fill(NOBODY);
    for (let slot = 0; slot < this.visited; slot++) {
      let place = this.firstPlace(this.nodes[slot]);
      while (this.places[place] !== NOBODY) place = (place + 1) & (this.places.length - 1);
      this.places[place] = slot;
    }
  }
}

function doubled<T extends Float32Array | Float64Array | Uint8Array>(array: T): T {
  const larger = new (array.constructor as new (length: number) => T)(2 * array.length);
  larger.set(array);
  return larger;
}
