// Products of 16 × 16 matrices by subgroup matrices, WGSL's interface to the matrix units (tensor cores) of a GPU. A
// part of the result belongs to a subgroup of 32 threads.
// enables: f16, chromium_experimental_subgroup_matrix
// requires: BK, stripA, stripB, staged
// constants: SX

const ROW = BK + 8u; // padded, so that rows begin in different banks
alias Half = f16;
alias Left = subgroup_matrix_left<f16, 16, 16>;
alias Right = subgroup_matrix_right<f16, 16, 16>;
alias Product = subgroup_matrix_result<f32, 16, 16>;
alias Products = array<Product, 8>;

fn half(x: f32) -> f16 { return f16(x); }
fn halvesOf(word: u32) -> vec2<f16> { return bitcast<vec2<f16>>(word); }

fn left(at: u32) -> Left { return subgroupMatrixLoad<Left, row_major>(&stripA, at * ROW, ROW); }
fn right(at: u32) -> Right { return subgroupMatrixLoad<Right, col_major>(&stripB, at * ROW, ROW); }

// Adds the products of the strips in workgroup memory.
fn addProducts(products: ptr<function, Products>, part: u32, lane: u32) {
  let top = 32u * (part / SX);
  let first = 64u * (part % SX);
  let upper = left(top);
  let lower = left(top + 16u);
  let b0 = right(first);
  let b1 = right(first + 16u);
  let b2 = right(first + 32u);
  let b3 = right(first + 48u);
  (*products)[0] = subgroupMatrixMultiplyAccumulate(upper, b0, (*products)[0]);
  (*products)[1] = subgroupMatrixMultiplyAccumulate(upper, b1, (*products)[1]);
  (*products)[2] = subgroupMatrixMultiplyAccumulate(upper, b2, (*products)[2]);
  (*products)[3] = subgroupMatrixMultiplyAccumulate(upper, b3, (*products)[3]);
  (*products)[4] = subgroupMatrixMultiplyAccumulate(lower, b0, (*products)[4]);
  (*products)[5] = subgroupMatrixMultiplyAccumulate(lower, b1, (*products)[5]);
  (*products)[6] = subgroupMatrixMultiplyAccumulate(lower, b2, (*products)[6]);
  (*products)[7] = subgroupMatrixMultiplyAccumulate(lower, b3, (*products)[7]);
}

fn stageProduct(products: ptr<function, Products>, i: u32, part: u32) {
  subgroupMatrixStore<row_major>(&staged, 256u * part, (*products)[i], 16u);
}
