import type { Backend, DrawnSigns, PairBuffers, PairDraw } from "../backend/backend.ts";
import type { Rng } from "../core/rng.ts";
import type { Flips } from "../graph/flips.ts";
import { type Block, empty, filled, type GraphView, IntTensor, keep, type Tensor } from "../tensor/index.ts";

/** A block of candidate flips that owns its memory. */
export interface CandidateBlock extends Block {
  /** Hands the memory of the signs to another block: this one no longer owns it. @internal */
  takeSigns(): Tensor;
  dispose(): void;
}

/** `size` random pairs, all at weight `floor`. */
export function sampleBlock(view: GraphView, size: number, floor: number, draw: PairDraw, rng: Rng): CandidateBlock {
  const pairs = allocPairs(view, size);
  const signs = keep(empty(view.backend, [size]));
  view.backend.samplePairs(pairs, draw, rng.nextKey(), signsInto(view, signs));
  return owned(view.backend, pairs, signs, keep(filled(view.backend, [size], floor)));
}

/**
 * A new block with the strongest candidates of `block`, at most half of its length, and fresh ones in the place of the
 * others, among them all at the floor. `block` keeps its pairs and weights; its signs are overwritten.
 */
export function resampleBlock(
  view: GraphView,
  block: CandidateBlock,
  floor: number,
  draw: PairDraw,
  rng: Rng,
): CandidateBlock {
  const { length } = block.pairs;
  const next = allocPairs(view, length);
  const signs = block.takeSigns();
  const weights = keep(empty(view.backend, [length]));
  const { backend } = view;
  const old = block.weights.buffer;
  backend.resamplePairs({
    next,
    nextWeights: weights.buffer,
    pairs: block.pairs,
    weights: old,
    floor,
    draw,
    key: rng.nextKey(),
    signs: signsInto(view, signs),
  });
  return owned(view.backend, next, signs, weights);
}

/** These flips at full weight: a discrete perturbation as a block. */
export function blockOfFlips(view: GraphView, flips: Flips): CandidateBlock {
  return blockOfPairs(view, flips, keep(filled(view.backend, [flips.sources.length], 1)));
}

/** These pairs as a block, which takes over `weights`. */
export function blockOfPairs(view: GraphView, flips: Flips, weights: Tensor): CandidateBlock {
  const { backend, numNodes, directed } = view;
  const sources = backend.upload(flips.sources);
  const targets = backend.upload(flips.targets);
  return withSigns(view, { numNodes, directed, length: flips.sources.length, sources, targets }, weights);
}

/** A block of pairs on the device, all at full weight. It takes over `pairs`. */
export function flippedBlock(view: GraphView, pairs: PairBuffers): CandidateBlock {
  return withSigns(view, pairs, keep(filled(view.backend, [pairs.length], 1)));
}

function withSigns({ backend, adjacency }: GraphView, pairs: PairBuffers, weights: Tensor): CandidateBlock {
  const signs = keep(empty(backend, [pairs.length]));
  backend.pairSigns(signs.buffer, pairs, adjacency.buffers);
  return owned(backend, pairs, signs, weights);
}

/** The same pairs, the `count` heaviest at full weight and the others at 0; the weights live until the scope ends. */
export function withHeaviestOnly(block: Block, count: number): Block {
  const { pairs, weights: old } = block;
  const { backend } = old;
  const places = new IntTensor(backend, backend.alloc("i32", Math.min(count, pairs.length)));
  backend.topK(places.buffer, old.buffer);
  const weights = filled(backend, old.shape, 0);
  const ones = filled(backend, [places.length], 1);
  backend.scatterAddRows(weights.buffer, ones.buffer, places.buffer, pairs.length, 1);
  return { ...block, weights };
}

/** The pairs at some places of a block, on the host. */
export async function pairsAt(
  backend: Backend,
  { sources, targets }: PairBuffers,
  places: ArrayLike<number>,
): Promise<Flips> {
  const index = IntTensor.from(backend, places);
  const gather = async (column: typeof sources) => {
    const out = backend.alloc("i32", index.length);
    backend.gatherRows(out, column, index.buffer, 1);
    const values = (await backend.read(out)) as Int32Array;
    backend.free(out);
    return values;
  };
  const flips = { sources: await gather(sources), targets: await gather(targets) };
  index.dispose();
  return flips;
}

/** Places of the `count` largest entries of `x`, largest first. */
export async function largest(x: Tensor, count: number): Promise<Int32Array> {
  const out = x.backend.alloc("i32", count);
  x.backend.topK(out, x.buffer);
  const places = (await x.backend.read(out)) as Int32Array;
  x.backend.free(out);
  return places;
}

/** Room for `length` pairs, which the caller frees. */
export function allocPairs({ backend, numNodes, directed }: GraphView, length: number): PairBuffers {
  const sources = backend.alloc("i32", length);
  const targets = backend.alloc("i32", length);
  return { numNodes, directed, length, sources, targets };
}

/** −1 where the clean graph has the edge. */
function signsInto({ adjacency }: GraphView, signs: Tensor): DrawnSigns {
  return { out: signs.buffer, S: adjacency.buffers };
}

function owned(backend: Backend, pairs: PairBuffers, signs: Tensor, weights: Tensor): CandidateBlock {
  let ownsSigns = true;
  return {
    pairs,
    signs,
    weights,
    takeSigns() {
      ownsSigns = false;
      return signs;
    },
    dispose() {
      backend.free(pairs.sources);
      backend.free(pairs.targets);
      if (ownsSigns) signs.dispose();
      weights.dispose();
    },
  };
}
