import type { PairDraw } from "../../backend/backend.ts";
import type { Rng } from "../../core/rng.ts";
import { filled, type GraphView, keep } from "../../tensor/index.ts";
import { blockOfPairs, type CandidateBlock, resampleBlock, sampleBlock } from "../block.ts";
import { numPairs } from "../budget.ts";
import { countAllowed, listAllowed, spaceOf } from "./allowed-pairs.ts";
import type { Constraints } from "./constraints.ts";
import { HostDraw } from "./host-draw.ts";
import { SignMask } from "./sign-mask.ts";

/** Where the blocks of an attack come from. */
export interface Candidates {
  /** Pairs in a block: as many as asked for, or all that may be flipped if these are fewer. */
  readonly blockSize: number;
  /** Pairs that a block is drawn from. */
  readonly outOf: number;
  /** A random block, all at weight `floor`. */
  sample(): CandidateBlock;
  /**
   * The block with its weakest candidates replaced. Returns `block` itself if it holds all pairs that may be flipped.
   */
  resample(block: CandidateBlock): CandidateBlock | Promise<CandidateBlock>;
  /** To be called after the signs of a block were computed anew: sets those of forbidden pairs to 0. */
  mask(block: CandidateBlock): void;
  dispose(): void;
}

/** How blocks are drawn. */
export interface BlockDraw {
  readonly blockSize: number;
  /** Weight of a candidate that is not in use. */
  readonly floor: number;
  readonly draw: PairDraw;
  readonly rng: Rng;
}

/** Where at least this share of all pairs is allowed, drawing from all of them is faster than drawing on the host. */
const MOST = 0.25;

/**
 * Blocks of pairs that constraints allow. If all allowed pairs fit into a block, it holds all of them and never
 * changes. If constraints allow a good part of all pairs, the device draws blocks from all pairs, and forbidden ones
 * keep their weight. Otherwise the host draws blocks from the allowed pairs.
 */
export function candidatesFor(view: GraphView, constraints: Constraints | undefined, draw: BlockDraw): Candidates {
  if (!constraints || constraints.isUnlimited) return drawnOnDevice(view, draw, null);
  const count = countAllowed(constraints);
  if (count <= draw.blockSize) return allOf(view, constraints, count, draw);
  const allowsMost = constraints.rules.between === undefined && count >= MOST * numPairs(view);
  if (allowsMost) return drawnOnDevice(view, draw, new SignMask(view, constraints));
  return drawnOnHost(view, constraints, count, draw);
}

function drawnOnDevice(view: GraphView, given: BlockDraw, mask: SignMask | null): Candidates {
  const { floor, draw, rng } = given;
  const outOf = numPairs(view);
  const blockSize = Math.min(given.blockSize, outOf);
  const masked = (block: CandidateBlock) => {
    mask?.apply(block.signs.buffer, block.pairs);
    return block;
  };
  return {
    blockSize,
    outOf,
    sample: () => masked(sampleBlock(view, blockSize, floor, draw, rng)),
    resample: (block) => masked(resampleBlock(view, block, floor, draw, rng)),
    mask: masked,
    dispose: () => mask?.dispose(),
  };
}

function allOf(view: GraphView, constraints: Constraints, count: number, { floor }: BlockDraw): Candidates {
  const pairs = listAllowed(constraints);
  return {
    blockSize: count,
    outOf: count,
    sample: () => blockOfPairs(view, pairs, keep(filled(view.backend, [count], floor))),
    resample: (block) => block,
    mask: () => {},
    dispose: () => {},
  };
}

function drawnOnHost(view: GraphView, constraints: Constraints, count: number, given: BlockDraw): Candidates {
  const drawer = new HostDraw(view, constraints, spaceOf(constraints), given);
  return {
    blockSize: given.blockSize,
    outOf: count,
    sample: () => drawer.sample(),
    resample: (block) => drawer.resample(block),
    mask: () => {},
    dispose: () => {},
  };
}
