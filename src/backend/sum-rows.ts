/** A sparse matrix in host memory, `values: null` where all are 1. */
export interface HostMatrix {
  readonly rowPtr: ArrayLike<number>;
  readonly colIdx: ArrayLike<number>;
  readonly values: ArrayLike<number> | null;
}

export interface HostSum {
  readonly rowPtr: Int32Array;
  readonly colIdx: Int32Array;
  readonly values: Float64Array;
}

/** The sum of sparse matrices with sorted rows, with sorted rows; entries that cancel are left out. */
export function sumRows(rows: number, parts: readonly HostMatrix[]): HostSum {
  const none = { rowPtr: new Int32Array(rows + 1), colIdx: new Int32Array(0), values: new Float64Array(0) };
  return parts.reduce<HostSum>((sum, part) => add(rows, sum, part), none);
}

function add(rows: number, A: HostSum, B: HostMatrix): HostSum {
  const bound = A.rowPtr[rows] + B.rowPtr[rows];
  const rowPtr = new Int32Array(rows + 1);
  const colIdx = new Int32Array(bound);
  const values = new Float64Array(bound);
  let size = 0;
  for (let i = 0; i < rows; i++) {
    let a = A.rowPtr[i];
    let b = B.rowPtr[i];
    const endA = A.rowPtr[i + 1];
    const endB = B.rowPtr[i + 1];
    while (a < endA || b < endB) {
      const left = a < endA ? A.colIdx[a] : Number.POSITIVE_INFINITY;
      const right = b < endB ? B.colIdx[b] : Number.POSITIVE_INFINITY;
      let value = 0;
      if (left <= right) value += A.values[a++];
      if (right <= left) {
        value += B.values ? B.values[b] : 1;
        b++;
      }
      if (value === 0) continue;
      colIdx[size] = Math.min(left, right);
      values[size++] = value;
    }
    rowPtr[i + 1] = size;
  }
  return { rowPtr, colIdx: colIdx.subarray(0, size), values: values.subarray(0, size) };
}
