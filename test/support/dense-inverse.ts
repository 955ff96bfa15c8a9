/** A⁻¹ by Gauss and Jordan with row pivots, in float64; for small matrices. */
export function inverse(A: readonly (readonly number[])[]): number[][] {
  const n = A.length;
  const work = A.map((row, i) => [...row, ...Array.from({ length: n }, (_, j) => (i === j ? 1 : 0))]);
  for (let c = 0; c < n; c++) {
    let pivot = c;
    for (let i = c + 1; i < n; i++) if (Math.abs(work[i][c]) > Math.abs(work[pivot][c])) pivot = i;
    [work[c], work[pivot]] = [work[pivot], work[c]];
    const scale = work[c][c];
    if (scale === 0) throw new Error(`inverse: the matrix is singular in column ${c}`);
    work[c] = work[c].map((x) => x / scale);
    for (let i = 0; i < n; i++) {
      const factor = work[i][c];
      if (i !== c && factor !== 0) work[i] = work[i].map((x, j) => x - factor * work[c][j]);
    }
  }
  return work.map((row) => row.slice(n));
}
