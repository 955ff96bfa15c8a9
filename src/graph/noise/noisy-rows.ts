import type { Rng } from "../../core/rng.ts";
import { allocRowPtr, type Csr, numEntries } from "../csr.ts";
import { GeometricSkips } from "./geometric-skips.ts";
import type { FlipNoise } from "./noise.ts";

/** Which places of a binary matrix noise may change. */
export type Places = "all" | "off diagonal" | "above diagonal";

/**
 * Draws noisy versions of a binary matrix. Among the places that may change, each stored entry is deleted with one
 * probability and each other place becomes an entry with another, all independently. The time of a draw grows with the
 * entries and the changes, not with the places.
 *
 * The next draw overwrites what `draw` returned.
 */
export class NoisyRows {
  private readonly matrix: Csr;
  private readonly places: Places;
  private readonly noise: FlipNoise;
  private readonly rowPtr: Int32Array | Float64Array;
  private colIdx: Int32Array;

  constructor(matrix: Csr, places: Places, noise: FlipNoise) {
    this.matrix = places === "above diagonal" ? upperPart(matrix) : matrix;
    this.places = places;
    this.noise = noise;
    const { numRows, numCols } = matrix;
    const numPlaces = places === "above diagonal" ? (numRows * numCols) / 2 : numRows * numCols;
    const expected = numEntries(this.matrix) + noise.add * numPlaces;
    this.rowPtr = allocRowPtr(numRows, expected);
    this.colIdx = new Int32Array(Math.ceil(expected) + numCols);
  }

  draw(rng: Rng): Csr {
    const { numRows, numCols, rowPtr: begins, colIdx: columns } = this.matrix;
    const additions = new GeometricSkips(rng, this.noise.add);
    const deletions = new GeometricSkips(rng, this.noise.delete);
    const noDiagonal = this.places === "off diagonal";
    let untilAdded = additions.next();
    let untilDeleted = deletions.next();
    let size = 0;
    for (let row = 0; row < numRows; row++) {
      const first = this.places === "above diagonal" ? row + 1 : 0;
      const out = this.roomFor(size + numCols - first);
      const end = begins[row + 1];
      let e = begins[row];
      for (;;) {
        const added = Math.min(first + untilAdded, numCols);
        for (; e < end && columns[e] < added; e++) {
          if (untilDeleted-- > 0) out[size++] = columns[e];
          else untilDeleted = deletions.next();
        }
        if (added === numCols) break;
        const isStored = e < end && columns[e] === added; // additions at stored entries are ignored
        if (!isStored && !(noDiagonal && added === row)) out[size++] = added;
        untilAdded += 1 + additions.next();
      }
      untilAdded -= numCols - first;
      this.rowPtr[row + 1] = size;
    }
    return { numRows, numCols, rowPtr: this.rowPtr, colIdx: this.colIdx.subarray(0, size), values: null };
  }

  /** An array with room for `size` entries, in which those written so far are kept. */
  private roomFor(size: number): Int32Array {
    if (size <= this.colIdx.length) return this.colIdx;
    const larger = new Int32Array(2 * size);
    larger.set(this.colIdx);
    this.colIdx = larger;
    return larger;
  }
}

/** The entries above the diagonal. */
function upperPart({ numRows, numCols, rowPtr, colIdx }: Csr): Csr {
  const upperPtr = allocRowPtr(numRows, colIdx.length);
  const upper = new Int32Array(colIdx.length);
  let size = 0;
  for (let row = 0; row < numRows; row++) {
    for (let e = rowPtr[row]; e < rowPtr[row + 1]; e++) if (colIdx[e] > row) upper[size++] = colIdx[e];
    upperPtr[row + 1] = size;
  }
  return { numRows, numCols, rowPtr: upperPtr, colIdx: upper.slice(0, size), values: null };
}
