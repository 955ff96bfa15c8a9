// Where the entries of row i of a sparse matrix begin and end, as byte offsets into its column indices and its values.

export function rowBegin(rowPtr: usize, i: i32): usize {
  return (<usize>load<u32>(rowPtr + ((<usize>i) << 2))) << 2;
}

export function rowEnd(rowPtr: usize, i: i32): usize {
  return (<usize>load<u32>(rowPtr + ((<usize>i) << 2), 4)) << 2;
}
