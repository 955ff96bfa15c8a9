import { check, UserError } from "../core/errors.ts";
import { Gradients } from "./gradients.ts";
import { isLocal, scope } from "./scope.ts";
import { empty, filled, type Tensor } from "./tensor.ts";

/**
 * Makes the gradient of one input: a new tensor, or the gradient of the output itself, or the input itself if its
 * gradient is collected elsewhere. Only called for inputs that the requested gradients depend on: an attack pays for
 * edges, training for weights, neither for both.
 */
export type GradThunk = () => Tensor;

/** An op that was computed: how to go back from its output to its inputs. */
interface Entry {
  readonly out: Tensor;
  readonly inputs: readonly (Tensor | null)[];
  /** Given dY, the gradient of the output, and the output Y. */
  readonly gradients: (dY: Tensor, Y: Tensor) => readonly GradThunk[];
}

interface Tape {
  /** In the order in which they were computed. */
  readonly entries: Entry[];
  /** The tensors that gradients are taken with respect to, and all tensors that depend on them. */
  readonly tracked: Set<Tensor>;
}

let active: Tape | null = null;

/** Notes that `out` depends on `inputs`. */
export function track(out: Tensor, inputs: Entry["inputs"]): void {
  if (active && inputs.some((input) => input && active!.tracked.has(input))) active.tracked.add(out);
}

/** True if a gradient may pass through `X`. If not, an op may skip work that only the gradient of `X` needs. */
export function isTracked(X: Tensor | null): boolean {
  return X !== null && (active?.tracked.has(X) ?? false);
}

/** Puts an op whose result has been computed on the tape, if a gradient may pass through it. Returns `out`. */
export function record(out: Tensor, inputs: Entry["inputs"], gradients: Entry["gradients"]): Tensor {
  track(out, inputs);
  if (isTracked(out)) active!.entries.push({ out, inputs, gradients });
  return out;
}

/** What {@link valueAndGrad} returns. */
export interface ValueAndGrad<Aux extends readonly Tensor[]> {
  readonly value: Tensor;
  readonly aux: Aux;
  readonly grads: Tensor[];
}

/**
 * The value of `f`, a tensor with one element, and its gradients with respect to `wrt`. Further tensors that `f`
 * returns after the value, such as logits, come back as `aux`. Everything else that `f` made is freed.
 *
 * @example
 * const { value, grads } = valueAndGrad(() => [sumSquares(matmul(X, W))], [W]);
 * console.log(await value.item(), await grads[0]!.read());
 */
export function valueAndGrad<Aux extends readonly Tensor[]>(
  f: () => readonly [Tensor, ...Aux],
  wrt: readonly Tensor[],
): ValueAndGrad<Aux> {
  check(active === null, () => "valueAndGrad: gradients of gradients are not supported");
  return scope(() => {
    const tape: Tape = { entries: [], tracked: new Set(wrt) };
    let results: readonly [Tensor, ...Aux];
    active = tape;
    try {
      results = f();
      for (const result of results) result.settle(results);
    } finally {
      active = null;
    }
    const [value, ...aux] = results;
    check(
      value.size === 1,
      () => `valueAndGrad: the value must have one element, got shape [${value.shape.join(", ")}]`,
    );
    check(
      tape.tracked.has(value),
      () => "valueAndGrad: the value does not depend on what the gradient is asked for",
      IndependentError,
    );
    const keepAlive = new Set<Tensor>([...results, ...wrt]);
    return { value, aux: aux as unknown as Aux, grads: backward(tape, value, wrt, keepAlive) };
  });
}

/** A gradient was asked for of a value that does not depend on the tensors given. */
export class IndependentError extends UserError {
  override name = "IndependentError";
}

/** The gradient that the backward pass is at, if nothing else needs it. */
let spareGradient: Tensor | null = null;

/**
 * A tensor of the shape of `dY` to write a gradient into: `dY` itself, if nothing else needs it. Only one thunk of an
 * op may call this, because it overwrites `dY`.
 */
export function spare(dY: Tensor): Tensor {
  return dY === spareGradient ? dY : empty(dY.backend, dY.shape);
}

/** Walks the tape backwards, and frees on the way what no earlier entry can need, to keep peak memory low. */
function backward(tape: Tape, value: Tensor, wrt: readonly Tensor[], keepAlive: ReadonlySet<Tensor>): Tensor[] {
  const grads = new Gradients();
  grads.add(value, filled(value.backend, value.shape, 1));
  for (const { out, inputs, gradients } of tape.entries.reverse()) {
    const dY = grads.get(out);
    if (!dY) continue;
    spareGradient = grads.isOnlyFor(out) && isLocal(dY) ? dY : null;
    const wanted = inputs.map((input) => input !== null && tape.tracked.has(input));
    const made = scope(() => {
      const thunks = gradients(dY, out); // intermediate results that they share are freed with this scope
      return inputs.map((_, i) => (wanted[i] ? thunks[i]() : null));
    });
    spareGradient = null;
    for (const [i, gradient] of made.entries()) if (gradient) grads.add(inputs[i]!, gradient);
    grads.release(out);
    if (!keepAlive.has(out) && isLocal(out)) out.dispose();
  }
  const handedOut = new Set<Tensor>();
  return wrt.map((X) => {
    const gradient = grads.get(X) ?? filled(X.backend, X.shape, 0);
    const own = handedOut.has(gradient) ? copy(gradient) : gradient; // callers may dispose each by itself
    handedOut.add(own);
    return own;
  });
}

function copy(X: Tensor): Tensor {
  const out = empty(X.backend, X.shape);
  X.backend.copy(out.buffer, X.buffer);
  return out;
}
