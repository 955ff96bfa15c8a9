// Softmax over the stored entries of rows begin … end − 1 of a sparse matrix.
import { softmax, softmaxGrad } from "../rows/softmax";

export function edgeSoftmax(begin: i32, end: i32, out: usize, rowPtr: usize, x: usize): void {
  for (let i = begin; i < end; i++) {
    const first = (<usize>load<u32>(rowPtr + ((<usize>i) << 2))) << 2;
    const bytes = ((<usize>load<u32>(rowPtr + ((<usize>i) << 2), 4)) << 2) - first;
    if (bytes) softmax(out + first, x + first, bytes);
  }
}

export function edgeSoftmaxGrad(begin: i32, end: i32, dx: usize, rowPtr: usize, dy: usize, y: usize): void {
  for (let i = begin; i < end; i++) {
    const first = (<usize>load<u32>(rowPtr + ((<usize>i) << 2))) << 2;
    const bytes = ((<usize>load<u32>(rowPtr + ((<usize>i) << 2), 4)) << 2) - first;
    if (bytes) softmaxGrad(dx + first, dy + first, y + first, bytes);
  }
}
