// out = finish(A·B) with both factors as halves, for the matrix units of a GPU: they multiply halves and add up in 32
// bits. 32 neighbouring threads compute a part of 32 × 64 of the result, 2 × 4 matrices of 16 × 16; a workgroup
// computes SY × SX such parts. Strips of BK columns of A and of Bᵀ are in workgroup memory; the next strips are loaded
// while these are multiplied. Bᵀ comes packed by pack-rows.wgsl. Rows of A are scaled here in the same way, by their
// largest number, which is found first.
// uses: finish-flags, matmul-tile, row-units, threads
// requires: Half, Products, ROW, addProducts(products, part, lane), half(x), halvesOf(word), maxLanes(x, local)
// requires: stageProduct(products, i, part)
// constants: SX, SY
// params: m u32, k u32, n u32, strideB u32, finish u32
// writes: out vec4f
// reads: A vec4f, Bt vec4u, unitB vec4f, bias vec4f

const BK = 16u;
const BM = 32u * SY;
const BN = 64u * SX;
const THREADS = 32u * SX * SY;
const PARTS = SX * SY;
var<workgroup> stripA: array<Half, BM * ROW>;
var<workgroup> stripB: array<Half, BN * ROW>;
var<workgroup> staged: array<f32, PARTS * 256u>; // one matrix of each part
var<workgroup> unitA: array<f32, BM>;

// The units of the rows of a tile, SX threads per row.
fn findUnits(top: u32, local: u32) {
  let row = local / SX;
  let first = min(top + row, params.m - 1u) * (params.k / 4u);
  var most = SMALLEST;
  for (var c = local % SX; c < params.k / 4u; c += SX) { most = max(most, largestOf(A[first + c])); }
  most = maxLanes(most, local);
  if (local % SX == 0u) { unitA[row] = unitOf(most); }
}

fn loadA(t: u32, top: u32, first: u32) -> vec4f {
  let col = first / 4u + t % 4u;
  if (4u * col >= params.k) { return vec4f(0.0); }
  return A[min(top + t / 4u, params.m - 1u) * (params.k / 4u) + col];
}

fn loadB(t: u32, left: u32, first: u32) -> vec4u {
  let col = first / 8u + t % 2u;
  if (8u * col >= params.k) { return vec4u(0u); }
  return Bt[min(left + t / 2u, params.n - 1u) * params.strideB + col];
}

fn placeA(t: u32, a: vec4f) {
  let row = t / 4u;
  let scaled = a / unitA[row]; // exact: a power of two
  let at = row * ROW + 4u * (t % 4u);
  stripA[at] = half(scaled.x);
  stripA[at + 1u] = half(scaled.y);
  stripA[at + 2u] = half(scaled.z);
  stripA[at + 3u] = half(scaled.w);
}

fn placeB(t: u32, b: vec4u) {
  let at = (t / 2u) * ROW + 8u * (t % 2u);
  placeTwo(at, b.x);
  placeTwo(at + 2u, b.y);
  placeTwo(at + 4u, b.z);
  placeTwo(at + 6u, b.w);
}

fn placeTwo(at: u32, word: u32) {
  let two = halvesOf(word);
  stripB[at] = two.x;
  stripB[at + 1u] = two.y;
}

// Vectors of the next strips that this thread has fetched: 4 / SX of A, 4 / SY of Bᵀ.
var<private> a: array<vec4f, 4>;
var<private> b: array<vec4u, 2>;

fn fetch(local: u32, tile: Tile, first: u32) {
  a[0] = loadA(local, tile.top, first);
  if (SX < 4u) { a[1] = loadA(local + THREADS, tile.top, first); }
  if (SX < 2u) {
    a[2] = loadA(local + 2u * THREADS, tile.top, first);
    a[3] = loadA(local + 3u * THREADS, tile.top, first);
  }
  b[0] = loadB(local, tile.left, first);
  if (SY < 4u) { b[1] = loadB(local + THREADS, tile.left, first); }
}

fn place(local: u32) {
  placeA(local, a[0]);
  if (SX < 4u) { placeA(local + THREADS, a[1]); }
  if (SX < 2u) {
    placeA(local + 2u * THREADS, a[2]);
    placeA(local + 3u * THREADS, a[3]);
  }
  placeB(local, b[0]);
  if (SY < 4u) { placeB(local + THREADS, b[1]); }
}

// Stages matrix i of every part in workgroup memory. The threads of the part then finish it and store whole rows side
// by side, because a device writes 32 bytes in the time of 16.
fn finishProduct(products: ptr<function, Products>, i: u32, tile: Tile, part: u32, lane: u32) {
  workgroupBarrier();
  stageProduct(products, i, part);
  workgroupBarrier();
  let y = 32u * (part / SX) + 16u * (i / 4u) + lane / 4u;
  let col = tile.left + 64u * (part % SX) + 16u * (i % 4u) + 4u * (lane % 4u);
  finishFour(tile.top, y, col, 256u * part + 4u * lane);
  finishFour(tile.top, y + 8u, col, 256u * part + 128u + 4u * lane);
}

// Finishes and stores four staged numbers of row y of the tile.
fn finishFour(top: u32, y: u32, col: u32, staging: u32) {
  let row = top + y;
  if (row >= params.m || col >= params.n) { return; }
  let sum = vec4f(staged[staging], staged[staging + 1u], staged[staging + 2u], staged[staging + 3u]);
  let at = (row * params.n + col) / 4u;
  var x = unitA[y] * (unitB[col / 4u] * sum); // one unit at a time: their product may underflow
  if ((params.finish & ADDED) != 0u) { x += out[at]; }
  if ((params.finish & BIASED) != 0u) { x += bias[col / 4u]; }
  if ((params.finish & RELU) != 0u) { x = max(x, vec4f(0.0)); }
  out[at] = x;
}

@compute @workgroup_size(THREADS)
fn main(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let tile = tileOf(groupIndex(group));
  let part = local / 32u;
  let lane = local % 32u;
  findUnits(tile.top, local);
  var products = Products();
  fetch(local, tile, 0u);
  for (var first = 0u; first < params.k; first += BK) {
    workgroupBarrier();
    place(local);
    workgroupBarrier();
    if (first + BK < params.k) { fetch(local, tile, first + BK); }
    addProducts(&products, part, lane);
  }
  finishProduct(&products, 0u, tile, part, lane);
  finishProduct(&products, 1u, tile, part, lane);
  finishProduct(&products, 2u, tile, part, lane);
  finishProduct(&products, 3u, tile, part, lane);
  finishProduct(&products, 4u, tile, part, lane);
  finishProduct(&products, 5u, tile, part, lane);
  finishProduct(&products, 6u, tile, part, lane);
  finishProduct(&products, 7u, tile, part, lane);
}
