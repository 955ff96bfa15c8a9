// The functions of subgroup-products.wgsl without matrix units: each thread computes eight elements of every matrix.
// Slow; for tests on devices that have no matrix units.
// requires: BK, stripA, stripB, staged
// constants: SX

const ROW = BK;
alias Half = f32;
alias Products = array<array<f32, 8>, 8>;
var<private> lane: u32;

fn half(x: f32) -> f32 { return quantizeToF16(x); }
fn halvesOf(word: u32) -> vec2f { return unpack2x16float(word); }

// Adds the products of the strips in workgroup memory.
fn addProducts(products: ptr<function, Products>, part: u32, thread: u32) {
  lane = thread;
  for (var i = 0u; i < 8u; i++) {
    let row = ROW * (32u * (part / SX) + 16u * (i / 4u) + lane / 2u);
    for (var e = 0u; e < 8u; e++) {
      let col = ROW * (64u * (part % SX) + 16u * (i % 4u) + 8u * (lane % 2u) + e);
      for (var l = 0u; l < BK; l++) { (*products)[i][e] += stripA[row + l] * stripB[col + l]; }
    }
  }
}

fn stageProduct(products: ptr<function, Products>, i: u32, part: u32) {
  for (var e = 0u; e < 8u; e++) { staged[256u * part + 8u * lane + e] = (*products)[i][e]; }
}
