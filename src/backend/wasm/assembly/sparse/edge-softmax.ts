// Softmax over the stored entries of rows begin … end − 1 of a sparse matrix.

import { softmax, softmaxGrad } from "../rows/softmax";
import { rowBegin, rowEnd } from "../shared/sparse-rows";

export function edgeSoftmax(begin: i32, end: i32, out: usize, rowPtr: usize, x: usize): void {
  for (let i = begin; i < end; i++) {
    const first = rowBegin(rowPtr, i);
    const bytes = rowEnd(rowPtr, i) - first;
    if (bytes) softmax(out + first, x + first, bytes);
  }
}

export function edgeSoftmaxGrad(begin: i32, end: i32, dx: usize, rowPtr: usize, dy: usize, y: usize): void {
  for (let i = begin; i < end; i++) {
    const first = rowBegin(rowPtr, i);
    const bytes = rowEnd(rowPtr, i) - first;
    if (bytes) softmaxGrad(dx + first, dy + first, y + first, bytes);
  }
}
