import { hasEntry } from "../../graph/csr.ts";
import { type LinearTwoStep, scaleOf } from "./linear-two-step.ts";

/**
 * Row `node` of a {@link LinearTwoStep} while edges are flipped one by one, and its exact value after one more flip.
 * With s_v = (degree + 1)^(−1/2) and h_v = Σ s_x f_x over v and its neighbours, z = s Σ s_w² h_w over the node and its
 * neighbours. A flip of (a, b) changes s and h of a and b, and h of their neighbours, of which only the node and its
 * neighbours count. Σ s_w² over these is kept for every a in `shared`, so that the row after a flip costs O(classes).
 */
export class TwoStepRow {
  readonly node: number;
  private readonly model: LinearTwoStep;
  /** Pairs that differ from the clean graph, from both sides. */
  private readonly toggled = new Map<number, Set<number>>();
  private readonly degrees = new Map<number, number>();
  private readonly changedSums = new Map<number, Float64Array>();
  /** Σ s_w² over the neighbours w of v that are the node or its neighbours, by v. */
  private shared = new Map<number, number>();
  /** Σ s_w² h_w over the node and its neighbours. */
  private total: Float64Array;

  constructor(model: LinearTwoStep, node: number) {
    this.model = model;
    this.node = node;
    this.total = new Float64Array(model.numClasses);
    this.refresh();
  }

  /** Z at the node, without biases. */
  get logits(): Float64Array {
    const scale = this.scale(this.node);
    return this.total.map((sum) => scale * sum);
  }

  degree(v: number): number {
    const { rowPtr } = this.model.graph.adjacency;
    return this.degrees.get(v) ?? rowPtr[v + 1] - rowPtr[v];
  }

  /** s_v */
  scale(v: number): number {
    return scaleOf(this.degree(v));
  }

  hasEdge(a: number, b: number): boolean {
    return hasEntry(this.model.graph.adjacency, a, b) !== (this.toggled.get(a)?.has(b) ?? false);
  }

  isNear(v: number): boolean {
    return v === this.node || this.hasEdge(this.node, v);
  }

  /** Row v of F. */
  score(v: number): ArrayLike<number> {
    const { scores, numClasses } = this.model;
    return scores.subarray(v * numClasses, (v + 1) * numClasses);
  }

  /** h_v */
  sum(v: number): Float64Array {
    const { sums, numClasses } = this.model;
    return this.changedSums.get(v) ?? sums.subarray(v * numClasses, (v + 1) * numClasses);
  }

  neighbours(v: number): number[] {
    const { rowPtr, colIdx } = this.model.graph.adjacency;
    const toggled = this.toggled.get(v);
    const clean = Array.from(colIdx.subarray(rowPtr[v], rowPtr[v + 1]));
    if (!toggled) return clean;
    const added = [...toggled].filter((w) => !hasEntry(this.model.graph.adjacency, v, w));
    return [...clean.filter((w) => !toggled.has(w)), ...added];
  }

  /** Z at the node if the pair (a, b) were flipped too. */
  logitsAfter(a: number, b: number): Float64Array {
    const { node } = this;
    const isEdge = this.hasEdge(a, b);
    const T = this.total.slice();
    this.replaceTerm(T, a, b, isEdge);
    this.replaceTerm(T, b, a, isEdge);
    const scale = node === a || node === b ? scaleAfter(this.degree(node), isEdge) : this.scale(node);
    for (let c = 0; c < T.length; c++) T[c] *= scale;
    return T;
  }

  /**
   * Updates T for a flip of (a, b): the terms of `total` that contain s_a or h_a, and a's share in the sums h of
   * others.
   */
  private replaceTerm(T: Float64Array, a: number, b: number, isEdge: boolean): void {
    const scale = this.scale(a);
    const next = scaleAfter(this.degree(a), isEdge);
    const other = isEdge ? -this.scale(b) : scaleAfter(this.degree(b), isEdge);
    const isNear = this.isNear(a);
    const staysNear = b === this.node ? !isEdge : isNear;
    const throughB = isEdge && this.isNear(b) ? this.scale(b) ** 2 : 0; // h_b is replaced as a whole
    const share = (next - scale) * ((this.shared.get(a) ?? 0) - throughB);
    const [fa, fb, ha] = [this.score(a), this.score(b), this.sum(a)];
    for (let c = 0; c < T.length; c++) {
      T[c] += share * fa[c];
      if (isNear) T[c] -= scale ** 2 * ha[c];
      if (staysNear) T[c] += next ** 2 * (ha[c] + (next - scale) * fa[c] + other * fb[c]);
    }
  }

  /** Flips the pair (a, b). */
  flip(a: number, b: number): void {
    const isEdge = this.hasEdge(a, b);
    const sign = isEdge ? -1 : 1;
    if (isEdge) this.connect(a, b, -1); // with the scales that it was added with
    this.toggle(a, b);
    this.toggle(b, a);
    this.shiftDegree(a, sign, isEdge ? null : b);
    this.shiftDegree(b, sign, isEdge ? null : a);
    if (!isEdge) this.connect(a, b, 1);
    this.refresh();
  }

  /** Changes the degrees of two nodes without changing an edge, for a quirk of the published SGA. */
  shiftDegrees(a: number, b: number, change: number): void {
    this.shiftDegree(a, change, null);
    this.shiftDegree(b, change, null);
    this.refresh();
  }

  private toggle(a: number, b: number): void {
    const toggled = this.toggled.get(a) ?? new Set();
    if (!toggled.delete(b)) toggled.add(b);
    this.toggled.set(a, toggled);
  }

  /** Adds or takes away what a and b contribute to each other's sums. */
  private connect(a: number, b: number, sign: number): void {
    this.addToSum(a, sign * this.scale(b), b);
    this.addToSum(b, sign * this.scale(a), a);
  }

  /** Changes the degree of v, and with it v's share in its own sum and in those of its neighbours except `except`. */
  private shiftDegree(v: number, change: number, except: number | null): void {
    const before = this.scale(v);
    this.degrees.set(v, this.degree(v) + change);
    const difference = this.scale(v) - before;
    for (const w of [v, ...this.neighbours(v)]) if (w !== except) this.addToSum(w, difference, v);
  }

  private addToSum(v: number, weight: number, of: number): void {
    const sum = this.changedSums.get(v) ?? this.sum(v).slice();
    const f = this.score(of);
    for (let c = 0; c < sum.length; c++) sum[c] += weight * f[c];
    this.changedSums.set(v, sum);
  }

  /** Computes `shared` and `total` anew, which depend on the neighbours of the node. */
  private refresh(): void {
    this.shared = new Map();
    this.total = new Float64Array(this.model.numClasses);
    for (const w of [this.node, ...this.neighbours(this.node)]) {
      const weight = this.scale(w) ** 2;
      const sum = this.sum(w);
      for (let c = 0; c < sum.length; c++) this.total[c] += weight * sum[c];
      for (const v of this.neighbours(w)) this.shared.set(v, (this.shared.get(v) ?? 0) + weight);
    }
  }
}

function scaleAfter(degree: number, isEdge: boolean): number {
  return scaleOf(degree + (isEdge ? -1 : 1));
}
