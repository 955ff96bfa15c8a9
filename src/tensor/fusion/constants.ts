import { check } from "../../core/errors.ts";
import type { GraphView } from "../graph-view.ts";
import { type Disposable, isLasting, keep, scope } from "../scope.ts";
import { SparseMatrix } from "../sparse-matrix.ts";
import { isTracked } from "../tape.ts";
import type { Tensor } from "../tensor.ts";
import type { Expression } from "./expression.ts";

/**
 * What stays the same during a run, such as `X·W` in an attack, which changes no weights, or `Â·X` in training, which changes
 * no edges. Steps inside {@link during} compute such products once.
 *
 * @example
 * const constants = new Constants({ graph: view, changing: model.parameters.values() });
 * const pass = { constants, dropout: new Rng(0) };
 * for (let epoch = 0; epoch < 100; epoch++) {
 *   const logits = constants.during(() => scope(() => model.forward(view, pass))); // Â·X is computed in the first step only
 *   logits.dispose();
 * }
 * constants.dispose();
 */
export class Constants {
  private readonly graph: GraphView | null;
  private readonly changing: ReadonlySet<Tensor>;
  private readonly values = new Map<string, Tensor>();
  private readonly made = new Map<string, Disposable>();

  /** `graph` is the graph of every step, if it is always the same; `changing` are the tensors that the run writes to. */
  constructor({ graph = null, changing = [] }: { graph?: GraphView | null; changing?: Iterable<Tensor> } = {}) {
    this.graph = graph;
    this.changing = new Set(changing);
  }

  /** Runs a step of the run. */
  during<T>(step: () => T): T {
    const before = current;
    current = this;
    try {
      return step();
    } finally {
      current = before;
    }
  }

  /** What is made of the edges of a graph, under a name for it: once, if they are those of every step. */
  of<T extends Disposable>(view: GraphView, key: string, make: () => T): T {
    if (view.adjacency !== this.graph?.adjacency || view.overlay) return make();
    if (!this.made.has(key)) this.made.set(key, keep(scope(make)));
    return this.made.get(key) as T;
  }

  /** True if `X` has the same values in every step. @internal */
  holds(X: Tensor): boolean {
    return this.keyOf(X) !== null;
  }

  /** The values of a pending tensor that {@link holds}, computed in the first step. @internal */
  valueOf(X: Tensor): Tensor {
    const key = this.keyOf(X);
    check(key !== null, () => `constants: a tensor of shape [${X.shape.join(", ")}] may change from step to step`);
    const known = this.values.get(key);
    if (known) return known;
    keep(X);
    this.values.set(key, X);
    return X;
  }

  dispose(): void {
    for (const item of [...this.values.values(), ...this.made.values()]) item.dispose();
    this.values.clear();
    this.made.clear();
  }

  /** Names the expression that `X` is, in terms of what lasts; null if something in it may change. */
  private keyOf(X: Tensor): string | null {
    const { pending } = X;
    if (isTracked(X)) return null; // what a gradient is asked by will change
    if (X.lender) return `#${X.lender.id}`;
    if (!pending) return isLasting(X) && !this.changing.has(X) ? `#${X.id}` : null;
    if (!pending.kind.isPure) return null;
    let key = pending.kind.name;
    for (const operand of Object.values(pending.operands)) {
      const part = this.keyOfOperand(operand);
      if (part === null) return null;
      key += `,${part}`;
    }
    return `(${key})`;
  }

  private keyOfOperand(operand: unknown): string | null {
    if (typeof operand === "number" || typeof operand === "string") return String(operand);
    if (operand instanceof SparseMatrix) return this.keyOfMatrix(operand);
    return this.keyOf(operand as Tensor);
  }

  private keyOfMatrix(S: SparseMatrix): string | null {
    if (S.parts.length > 0 || !isLasting(S)) return null; // its values may be another step's
    return S.values && this.changing.has(S.values) ? null : `S${S.id}`;
  }
}

/** What stays the same in the step that is running; null if nobody said. */
let current: Constants | null = null;

/** True if `X` has the same values in every step of the present run. */
export function isConstant(X: Tensor): boolean {
  return current?.holds(X) ?? false;
}

/** Takes the values of the largest constant parts of an expression from the step that computed them first; true if there are any. */
export function keepConstants(expression: Expression): boolean {
  if (!current) return false;
  const constants = current;
  const found = new Set<Tensor>();
  for (const X of expression.pending) {
    const { kind, inputs } = X.pending!;
    if (kind.isPure && inputs.every((input) => !input?.pending || found.has(input)) && constants.holds(X)) found.add(X);
  }
  if (found.size === 0) return false;
  for (const X of found) {
    const user = expression.userOf(X);
    const isPart = user !== null && found.has(user);
    if (isPart || expression.isRoot(X) || !X.pending) continue;
    const value = constants.valueOf(X);
    if (value !== X) X.borrow(value);
  }
  return true;
}
