import { inverse } from "./dense-inverse.ts";

/**
 * The GDC matrix of a dense weighted adjacency without self loops, step by step in float64: normalise, invert, keep the
 * k largest entries per row, divide by row sums, normalise once more by column sums.
 */
export function denseDiffusion(A: readonly (readonly number[])[], alpha: number, k: number): number[][] {
  const withLoops = A.map((row, i) => row.map((a, j) => a + (i === j ? 1 : 0)));
  const degrees = sumColumns(withLoops);
  const system = withLoops.map((row, i) =>
    row.map((a, j) => (i === j ? 1 : 0) - ((1 - alpha) * a) / Math.sqrt(degrees[i] * degrees[j])),
  );
  const T = inverse(system).map((row) => {
    const scaled = row.map((x) => alpha * x);
    const least = [...scaled].sort((a, b) => b - a)[Math.min(k, row.length) - 1];
    const kept = scaled.map((x) => (x >= least ? x : 0));
    const total = kept.reduce((sum, x) => sum + x, 0);
    return kept.map((x) => x / total);
  });
  const c = sumColumns(T);
  return T.map((row, i) => row.map((x, j) => x / Math.sqrt(c[i] * c[j])));
}

function sumColumns(A: readonly (readonly number[])[]): number[] {
  return A[0].map((_, j) => A.reduce((sum, row) => sum + row[j], 0));
}
