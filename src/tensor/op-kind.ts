import type { Tensor } from "./tensor.ts";

/**
 * A kind of op. Calling an op only notes what to compute; before that is computed, the library looks at the kinds of the ops in
 * an expression and may find a better way to the same values.
 *
 * @example
 * const SCALE = new OpKind<{ readonly X: Tensor; readonly by: number }>("scale", { isPure: true });
 */
export class OpKind<Operands extends object> {
  readonly name: string;
  /** Set if the op is `Y = P·X` for some matrix P: it may change places with a product on the other side. */
  readonly mixesRows: MixesRows<Operands> | null;
  /** True if the result is a function of the operands alone, so that it stays the same while they do. */
  readonly isPure: boolean;

  constructor(name: string, traits: { readonly mixesRows?: MixesRows<Operands>; readonly isPure?: boolean } = {}) {
    this.name = name;
    this.mixesRows = traits.mixesRows ?? null;
    this.isPure = traits.isPure ?? false;
  }

  /** What `X` will be computed from, if that is still to be done by an op of this kind. @internal */
  of(X: Tensor): Operands | null {
    return X.pending?.kind === (this as OpKind<object>) ? (X.pending.operands as Operands) : null;
  }
}

/** How an op `Y = P·X` is applied to other rows. */
export interface MixesRows<Operands> {
  /** X in `Y = P·X`. */
  rows(operands: Operands): Tensor;
  /** The same op on other rows. */
  on(operands: Operands, X: Tensor): Tensor;
}
