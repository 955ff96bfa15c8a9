import type { Tensor } from "./tensor.ts";

/**
 * A kind of op. An op only notes what it will compute, so that {@link of} can tell what a tensor that nobody has needed yet
 * will be made from; `fusion/` looks for expressions that can be computed in a better way.
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
