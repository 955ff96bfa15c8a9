import type { FinishBuffers } from "../backend/backend.ts";
import { check } from "../core/errors.ts";
import { Gradients } from "./gradients.ts";
import { isLocal, scope } from "./scope.ts";
import { empty, filled, type Tensor } from "./tensor.ts";

/**
 * Gradient of one input, given the gradient of the output. It is only called for inputs that the asked-for gradients
 * depend on: an attack pays for edges, training for weights, neither for both. If `into` is given it holds the sum of
 * the gradients from other uses of the same input; a thunk that can add to it in place returns it. Otherwise a thunk
 * returns a tensor it made, or the gradient of the output itself.
 */
export type GradThunk = (into: Tensor | null, wish: FinishWish | null) => Tensor;

/**
 * What an op that finishes its output `Y` asks of the op behind it, if that is the only one: the gradient before the finish
 * instead of the gradient of `Y`, and in `dots` what `finishGrad` of a backend says. A thunk that cannot leaves `dots` alone.
 */
export interface FinishWish {
  readonly Y: Tensor;
  readonly finish: FinishBuffers;
  dots: Tensor | null;
}

interface Entry {
  readonly out: Tensor;
  readonly inputs: readonly (Tensor | null)[];
  /** `isFree` says that `dY` stands for nothing else: a thunk may write its result over it, and return it. */
  readonly grads: (dY: Tensor, isFree: boolean) => readonly GradThunk[];
  readonly wish: FinishWish | null;
}

interface Tape {
  readonly entries: Entry[];
  /** Tensors that depend on what the gradient is asked for. */
  readonly tracked: Set<Tensor>;
  /** How many ops take each of them as an input. */
  readonly uses: Map<Tensor, number>;
}

let active: Tape | null = null;

/** Called by every op: remembers how to go back from `out` to `inputs`, if anybody has asked for a gradient there. */
export function record(
  out: Tensor,
  inputs: Entry["inputs"],
  grads: Entry["grads"],
  wish: FinishWish | null = null,
): Tensor {
  if (!active) return out;
  const { entries, tracked, uses } = active;
  const known = inputs.filter((input) => input && tracked.has(input)) as Tensor[];
  if (known.length === 0) return out;
  entries.push({ out, inputs, grads, wish });
  tracked.add(out);
  for (const input of known) uses.set(input, (uses.get(input) ?? 0) + 1);
  return out;
}

/** True if the gradient that is being recorded depends on `X`; lets an op skip work that only its gradient needs. */
export function isTracked(X: Tensor): boolean {
  return active?.tracked.has(X) ?? false;
}

export interface ValueAndGrad<Aux extends readonly Tensor[]> {
  readonly value: Tensor;
  readonly aux: Aux;
  readonly grads: Tensor[];
}

/**
 * The value of `f`, a tensor with one element, and its gradients with respect to `wrt`. Further tensors that `f` returns
 * behind the value, such as logits, come back as `aux`. Everything else that `f` made is freed.
 */
export function valueAndGrad<Aux extends readonly Tensor[]>(
  f: () => readonly [Tensor, ...Aux],
  wrt: readonly Tensor[],
): ValueAndGrad<Aux> {
  check(active === null, () => "valueAndGrad: gradients of gradients are not supported");
  return scope(() => {
    const tape: Tape = { entries: [], tracked: new Set(wrt), uses: new Map() };
    let results: readonly [Tensor, ...Aux];
    active = tape;
    try {
      results = f();
    } finally {
      active = null;
    }
    const [value, ...aux] = results;
    check(
      value.size === 1,
      () => `valueAndGrad: the value must have one element, got shape [${value.shape.join(", ")}]`,
    );
    check(tape.tracked.has(value), () => "valueAndGrad: the value does not depend on what the gradient is asked for");
    const keepAlive = new Set<Tensor>([...results, ...wrt]);
    return { value, aux: aux as unknown as Aux, grads: backward(tape, value, wrt, keepAlive) };
  });
}

/** Walks the tape back; what no earlier entry can need is freed on the way, so that the peak stays low. */
function backward(tape: Tape, value: Tensor, wrt: readonly Tensor[], keepAlive: ReadonlySet<Tensor>): Tensor[] {
  const grads = new Gradients();
  grads.add(value, filled(value.backend, value.shape, 1), null);
  const wishes = new Map(tape.entries.map(({ out, wish }) => [out, tape.uses.get(out) === 1 ? wish : null]));
  for (const { out, inputs, grads: thunksOf } of tape.entries.reverse()) {
    const dY = grads.get(out);
    if (!dY) continue;
    const wanted = [...inputs.entries()].filter(([, input]) => input && tape.tracked.has(input)) as [number, Tensor][];
    const isFree = grads.open(out) === dY && isLocal(dY);
    const made = scope(() => {
      const thunks = thunksOf(dY, isFree); // what they share on the way to the gradients is freed with this scope
      return wanted.map(([i, input]) => {
        const open = grads.open(input);
        const wish = keepAlive.has(input) ? null : (wishes.get(input) ?? null);
        return { gradient: thunks[i](open, wish), open, dots: wish?.dots ?? null };
      });
    });
    for (const [t, { gradient, open }] of made.entries()) grads.add(wanted[t][1], gradient, open);
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
