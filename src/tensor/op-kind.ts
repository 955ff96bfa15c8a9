import type { Tensor } from "./tensor.ts";

/**
 * A kind of op. Calling an op only records what to compute. Before computing it, the library looks at the kinds of the
 * ops in the expression, and may replace them by cheaper ones with the same result.
 *
 * @example
 * const SCALE = new OpKind<{ readonly X: Tensor; readonly by: number }>("scale", { isPure: true });
 */
export class OpKind<Operands extends object> {
  readonly name: string;
  /** Set if the op is `Y = P·X` for some matrix P, so that `P·(X·W)` may be computed as `(P·X)·W`. */
  readonly mixesRows: MixesRows<Operands> | null;
  /** True if the result depends on the operands alone: it stays the same as long as they do. */
  readonly isPure: boolean;

  constructor(name: string, traits: { readonly mixesRows?: MixesRows<Operands>; readonly isPure?: boolean } = {}) {
    this.name = name;
    this.mixesRows = traits.mixesRows ?? null;
    this.isPure = traits.isPure ?? false;
  }

  /** The operands of the op that will compute `X`; null unless `X` is pending and that op is of this kind. @internal */
  of(X: Tensor): Operands | null {
    return X.pending?.kind === (this as OpKind<object>) ? (X.pending.operands as Operands) : null;
  }
}

/** How to apply an op `Y = P·X` to another X. */
export interface MixesRows<Operands> {
  /** X in `Y = P·X`. */
  rows(operands: Operands): Tensor;
  /** The same op applied to another X. */
  on(operands: Operands, X: Tensor): Tensor;
}
