import { check } from "../../core/errors.ts";
import type { GraphView } from "../graph-view.ts";
import { type Disposable, isLasting, keep, scope } from "../scope.ts";
import { SparseMatrix } from "../sparse-matrix.ts";
import { isTracked } from "../tape.ts";
import type { Tensor } from "../tensor.ts";
import type { Expression } from "./expression.ts";

/**
 * Computes products that stay the same during a run only once: `X·W` in an attack, which changes no weights, or `Â·X`
 * in training, which changes no edges. It works for steps that run inside {@link during}.
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

  /** Runs one step of the run, with these constants in use. */
  during<T>(step: () => T): T {
    const before = current;
    current = this;
    try {
      return step();
    } finally {
      current = before;
    }
  }

  /**
   * `make()`, for something derived from the edges of `view`, such as a normalised matrix. It is made once and kept
   * under `key` if every step has these edges; otherwise each call makes it anew.
   */
  of<T extends Disposable>(view: GraphView, key: string, make: () => T): T {
    if (view.adjacency !== this.graph?.adjacency || view.overlay) return make();
    if (!this.made.has(key)) this.made.set(key, keep(scope(make)));
    return this.made.get(key) as T;
  }

  /** True if `X` has the same values in every step. @internal */
  holds(X: Tensor): boolean {
    return this.keyOf(X) !== null;
  }

  /** The values of a pending tensor for which {@link holds} is true: computed once, then kept. @internal */
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

  /** A key for the expression of `X`, built from tensors that outlive the step; null if a part of it may change. */
  private keyOf(X: Tensor): string | null {
    const { pending } = X;
    if (isTracked(X)) return null; // a gradient is taken with respect to it or its inputs: those will change
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
    if (S.parts.length > 0 || !isLasting(S)) return null; // its values may belong to one step only
    return S.values && this.changing.has(S.values) ? null : `S${S.id}`;
  }
}

/** The constants of the running step; null outside {@link Constants.during}. */
let current: Constants | null = null;

/** True if `X` has the same values in every step of the current run. */
export function isConstant(X: Tensor): boolean {
  return current?.holds(X) ?? false;
}

/**
 * Computes the largest constant parts of an expression in the first step and reuses their values in later ones; true if
 * there are any.
 */
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
