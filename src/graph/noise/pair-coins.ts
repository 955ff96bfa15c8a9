import { Rng } from "../../core/rng.ts";
import type { FlipNoise } from "./noise.ts";

/** Separates these coins from other uses of the same seed, such as the noise that a CPU draws. */
const COINS = 0x636f_696e;
/** Rows and columns of a tile; coins for pairs are tossed tile by tile. */
export const TILE = 16;
/** Pairs of a tile. */
export const TILE_PAIRS = TILE * TILE;
/** The last argument of `fill` for an edge. For a tile, it is the number of the round. */
const EDGE = 0xffff_ffff;

/**
 * Decides which pairs of noisy graphs change, for devices that process all pairs in parallel. The random words depend
 * only on a seed, the number of a graph and a place in it. Kernels compute the same words (`coins.wgsl`,
 * `draw-noisy.wgsl`).
 *
 * Additions are drawn by tiles. In a tile, the next pair that is added lies k places further with probability
 * (1 − p)^k p; a table gives k for a random word. A word has 32 bits, so each of these probabilities is off by less
 * than 2^−32: p = .001 by one part in four million.
 */
export class PairCoins {
  /** Four random words that the seed gives, combined with every place. */
  readonly key: Uint32Array;
  /** A word below entry k means a skip of at most k places. */
  readonly limits: Uint32Array;
  /** A word below this deletes the edge. */
  readonly vanish: number;
  private readonly words = new Uint32Array(4);

  constructor(seed: number, { add, delete: drop }: FlipNoise) {
    const rng = new Rng(seed, COINS);
    this.key = Uint32Array.from({ length: 4 }, () => rng.next32());
    this.limits = Uint32Array.from({ length: TILE_PAIRS }, (_, k) => limitOf(-Math.expm1((k + 1) * Math.log1p(-add))));
    this.vanish = limitOf(drop);
  }

  /** True if noise deletes the edge between `i` < `j` from the graph with this number. */
  deletes(number: number, i: number, j: number): boolean {
    this.fill(i, j, number, EDGE);
    return this.words[0] < this.vanish;
  }

  /** Calls `visit` with each place of a tile (0 … 255, row by row) at which noise adds an edge where there is none. */
  additions(number: number, tileRow: number, tileColumn: number, visit: (place: number) => void): void {
    const { limits, words } = this;
    this.fill(tileRow, tileColumn, number, 0);
    let place = skipOf(words[0], limits);
    for (let drawn = 1; place < TILE_PAIRS; drawn++) {
      visit(place);
      if (drawn % 4 === 0) this.fill(tileRow, tileColumn, number, drawn / 4);
      place += 1 + skipOf(words[drawn % 4], limits);
    }
  }

  private fill(a: number, b: number, c: number, d: number): void {
    const { words, key } = this;
    words[0] = a ^ key[0];
    words[1] = b ^ key[1];
    words[2] = c ^ key[2];
    words[3] = d ^ key[3];
    mix(words);
    mix(words);
  }
}

/** The limit below which a random word of 32 bits lies with this probability. */
function limitOf(probability: number): number {
  return Math.min(Math.round(probability * 2 ** 32), 2 ** 32 - 1);
}

/** The skip that a word stands for: the number of ascending `limits` that are at most `word`. */
function skipOf(word: number, limits: Uint32Array): number {
  let low = 0;
  let high = limits.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (word < limits[middle]) high = middle;
    else low = middle + 1;
  }
  return low;
}

/**
 * A permutation of four words (pcg4d of Jarzynski and Olano 2020). Applying it once is good enough for pictures; here
 * it is applied twice.
 */
function mix(v: Uint32Array): void {
  for (let t = 0; t < 4; t++) v[t] = Math.imul(v[t], 1664525) + 1013904223;
  addProducts(v);
  for (let t = 0; t < 4; t++) v[t] ^= v[t] >>> 16;
  addProducts(v);
}

function addProducts(v: Uint32Array): void {
  v[0] += Math.imul(v[1], v[3]);
  v[1] += Math.imul(v[2], v[0]);
  v[2] += Math.imul(v[0], v[1]);
  v[3] += Math.imul(v[1], v[2]);
}
