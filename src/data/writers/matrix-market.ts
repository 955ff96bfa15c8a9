import type { Csr } from "../../graph/csr.ts";

/** A sparse matrix in the MatrixMarket format. */
export function formatMatrixMarket({ numRows, numCols, rowPtr, colIdx, values }: Csr): string {
  const lines = [
    `%%MatrixMarket matrix coordinate ${values ? "real" : "pattern"} general`,
    `${numRows} ${numCols} ${colIdx.length}`,
  ];
  for (let i = 0; i < numRows; i++) {
    for (let e = rowPtr[i]; e < rowPtr[i + 1]; e++) {
      lines.push(values ? `${i + 1} ${colIdx[e] + 1} ${values[e]}` : `${i + 1} ${colIdx[e] + 1}`);
    }
  }
  return `${lines.join("\n")}\n`;
}
