// out = finish(op(A)·B) where rows of all matrices are made of whole vec4s. A workgroup of TX × TY threads computes a
// tile of 8·TY × 4·QUADS·TX in registers, 8 × 4·QUADS per thread, from strips of BK rows of op(A)ᵀ and of B in
// workgroup memory; the next strips are loaded while these are multiplied. MASKED: elements of A, which is not
// transposed, count only where the mask, of the same shape, is above 0. If k is split into parts, part p writes its own
// [m, n] result. Another file stores the tile (finishTile).
// uses: matmul-tile, threads
// requires: finishTile(top, left, part, y, x, local)
// constants: BK, EXACT, MASKED, QUADS, TRANS_A, TX, TY
// params: m u32, k u32, n u32
// reads: A vec4f, B vec4f, mask vec4f

const THREADS = TX * TY;
const EIGHTS = max(1u, TX / 8u);
const BM = 8u * TY;
const BN = 4u * QUADS * TX;
const ALONG = BK / 4u; // vec4s of a row of A in a strip, where A is stored [m, k]
const ROW_A = BM / 4u + 1u; // padded: threads that transpose a row of A hit different banks
const ROW_B = BN / 4u;
const SIZE_A = BM * ALONG; // vec4s of a strip
const SIZE_B = BN * ALONG;
const LOADS_A = (SIZE_A + THREADS - 1u) / THREADS;
const LOADS_B = (SIZE_B + THREADS - 1u) / THREADS;
var<workgroup> stripA: array<vec4f, BK * ROW_A>;
var<workgroup> stripB: array<vec4f, BK * ROW_B>;
var<private> sums: array<vec4f, 16>;

// Where vec4 t of the first strip lies; from strip to strip it moves by a constant step. Rows and columns past the last
// are read as the last, and results for them are not stored.
fn startA(t: u32, top: u32, begin: u32) -> u32 {
  if (TRANS_A == 1u) {
    let col = min(top / 4u + t % (BM / 4u), params.m / 4u - 1u);
    return (begin + min(t / (BM / 4u), BK - 1u)) * (params.m / 4u) + col;
  }
  return (min(top + t / ALONG, params.m - 1u) * params.k + begin) / 4u + t % ALONG;
}

fn startB(t: u32, left: u32, begin: u32) -> u32 {
  let col = min(left / 4u + t % ROW_B, params.n / 4u - 1u);
  return (begin + min(t / ROW_B, BK - 1u)) * (params.n / 4u) + col;
}

// False past the end of k. EXACT: the last strip ends there, so nothing lies past it.
fn countsA(t: u32, first: u32, end: u32) -> bool {
  return EXACT == 1u || first + select(4u * (t % ALONG), t / (BM / 4u), TRANS_A == 1u) < end;
}

fn countsB(t: u32, first: u32, end: u32) -> bool { return EXACT == 1u || first + t / ROW_B < end; }

fn loadA(at: u32, t: u32, first: u32, end: u32) -> vec4f {
  if (countsA(t, first, end)) { return A[at]; }
  return vec4f(0.0);
}

fn loadMask(at: u32, t: u32, first: u32, end: u32) -> vec4f {
  if (countsA(t, first, end)) { return mask[at]; }
  return vec4f(0.0);
}

fn loadB(at: u32, t: u32, first: u32, end: u32) -> vec4f {
  if (countsB(t, first, end)) { return B[at]; }
  return vec4f(0.0);
}

fn placeA(t: u32, a: vec4f) {
  if (SIZE_A % THREADS > 0u && t >= SIZE_A) { return; }
  if (TRANS_A == 1u) {
    stripA[(t / (BM / 4u)) * ROW_A + t % (BM / 4u)] = a;
    return;
  }
  let row = t / ALONG;
  let at = 4u * (t % ALONG) * ROW_A + row / 4u;
  let lane = row % 4u;
  stripA[at][lane] = a.x;
  stripA[at + ROW_A][lane] = a.y;
  stripA[at + 2u * ROW_A][lane] = a.z;
  stripA[at + 3u * ROW_A][lane] = a.w;
}

fn placeB(t: u32, b: vec4f) {
  if (SIZE_B % THREADS > 0u && t >= SIZE_B) { return; }
  stripB[t] = b;
}

// The vec4s of the next strips that this thread has fetched, and where it fetches those after them. Every index is a
// constant, so that they stay in registers.
var<private> a: array<vec4f, 4>;
var<private> b: array<vec4f, 4>;
var<private> masks: array<vec4f, 4>;
var<private> atA: array<u32, 4>;
var<private> atB: array<u32, 4>;

fn start(local: u32, top: u32, left: u32, begin: u32) {
  atA[0] = startA(local, top, begin);
  atA[1] = startA(local + THREADS, top, begin);
  atA[2] = startA(local + 2u * THREADS, top, begin);
  atA[3] = startA(local + 3u * THREADS, top, begin);
  atB[0] = startB(local, left, begin);
  atB[1] = startB(local + THREADS, left, begin);
  atB[2] = startB(local + 2u * THREADS, left, begin);
  atB[3] = startB(local + 3u * THREADS, left, begin);
}

fn fetch(local: u32, first: u32, end: u32) {
  a[0] = loadA(atA[0], local, first, end);
  if (LOADS_A > 1u) { a[1] = loadA(atA[1], local + THREADS, first, end); }
  if (LOADS_A > 2u) {
    a[2] = loadA(atA[2], local + 2u * THREADS, first, end);
    a[3] = loadA(atA[3], local + 3u * THREADS, first, end);
  }
  if (MASKED == 1u) {
    masks[0] = loadMask(atA[0], local, first, end);
    if (LOADS_A > 1u) { masks[1] = loadMask(atA[1], local + THREADS, first, end); }
    if (LOADS_A > 2u) {
      masks[2] = loadMask(atA[2], local + 2u * THREADS, first, end);
      masks[3] = loadMask(atA[3], local + 3u * THREADS, first, end);
    }
  }
  b[0] = loadB(atB[0], local, first, end);
  if (LOADS_B > 1u) { b[1] = loadB(atB[1], local + THREADS, first, end); }
  if (LOADS_B > 2u) {
    b[2] = loadB(atB[2], local + 2u * THREADS, first, end);
    b[3] = loadB(atB[3], local + 3u * THREADS, first, end);
  }
  let stepA = select(ALONG, BK * (params.m / 4u), TRANS_A == 1u);
  let stepB = BK * (params.n / 4u);
  atA[0] += stepA;
  atA[1] += stepA;
  atA[2] += stepA;
  atA[3] += stepA;
  atB[0] += stepB;
  atB[1] += stepB;
  atB[2] += stepB;
  atB[3] += stepB;
}

fn masked(x: vec4f, by: vec4f) -> vec4f {
  if (MASKED == 1u) { return select(vec4f(0.0), x, by > vec4f(0.0)); }
  return x;
}

fn place(local: u32) {
  placeA(local, masked(a[0], masks[0]));
  if (LOADS_A > 1u) { placeA(local + THREADS, masked(a[1], masks[1])); }
  if (LOADS_A > 2u) {
    placeA(local + 2u * THREADS, masked(a[2], masks[2]));
    placeA(local + 3u * THREADS, masked(a[3], masks[3]));
  }
  placeB(local, b[0]);
  if (LOADS_B > 1u) { placeB(local + THREADS, b[1]); }
  if (LOADS_B > 2u) {
    placeB(local + 2u * THREADS, b[2]);
    placeB(local + 3u * THREADS, b[3]);
  }
}

// Adds the product of column l of A's strip and row l of B's.
fn addProduct(y: u32, x: u32, l: u32) {
  let low = stripA[l * ROW_A + y];
  let high = stripA[l * ROW_A + TY + y];
  let b0 = stripB[l * ROW_B + x];
  if (QUADS == 1u) {
    sums[0] = fma(vec4f(low.x), b0, sums[0]);
    sums[2] = fma(vec4f(low.y), b0, sums[2]);
    sums[4] = fma(vec4f(low.z), b0, sums[4]);
    sums[6] = fma(vec4f(low.w), b0, sums[6]);
    sums[8] = fma(vec4f(high.x), b0, sums[8]);
    sums[10] = fma(vec4f(high.y), b0, sums[10]);
    sums[12] = fma(vec4f(high.z), b0, sums[12]);
    sums[14] = fma(vec4f(high.w), b0, sums[14]);
    return;
  }
  let b1 = stripB[l * ROW_B + TX + x];
  sums[0] = fma(vec4f(low.x), b0, sums[0]);
  sums[1] = fma(vec4f(low.x), b1, sums[1]);
  sums[2] = fma(vec4f(low.y), b0, sums[2]);
  sums[3] = fma(vec4f(low.y), b1, sums[3]);
  sums[4] = fma(vec4f(low.z), b0, sums[4]);
  sums[5] = fma(vec4f(low.z), b1, sums[5]);
  sums[6] = fma(vec4f(low.w), b0, sums[6]);
  sums[7] = fma(vec4f(low.w), b1, sums[7]);
  sums[8] = fma(vec4f(high.x), b0, sums[8]);
  sums[9] = fma(vec4f(high.x), b1, sums[9]);
  sums[10] = fma(vec4f(high.y), b0, sums[10]);
  sums[11] = fma(vec4f(high.y), b1, sums[11]);
  sums[12] = fma(vec4f(high.z), b0, sums[12]);
  sums[13] = fma(vec4f(high.z), b1, sums[13]);
  sums[14] = fma(vec4f(high.w), b0, sums[14]);
  sums[15] = fma(vec4f(high.w), b1, sums[15]);
}

fn addStrips(y: u32, x: u32) {
  addProduct(y, x, 0u);
  addProduct(y, x, 1u);
  addProduct(y, x, 2u);
  addProduct(y, x, 3u);
  addProduct(y, x, 4u);
  addProduct(y, x, 5u);
  addProduct(y, x, 6u);
  addProduct(y, x, 7u);
  if (BK == 8u) { return; }
  addProduct(y, x, 8u);
  addProduct(y, x, 9u);
  addProduct(y, x, 10u);
  addProduct(y, x, 11u);
  addProduct(y, x, 12u);
  addProduct(y, x, 13u);
  addProduct(y, x, 14u);
  addProduct(y, x, 15u);
}

@compute @workgroup_size(THREADS)
fn main(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let tile = tileOf(groupIndex(group));
  var x = local % TX;
  var y = local / TX;
  if (TX % 8u == 0u && TY % 4u == 0u) {
    // 32 neighbouring threads have 4 × 8 places, and each half of them 2 × 8: few different words of the strips to read
    x = ((local / 32u) % EIGHTS) * 8u + ((local >> 1u) & 7u);
    y = ((local / 32u) / EIGHTS) * 4u + ((local & 1u) | ((local >> 3u) & 2u));
  }
  sums = array<vec4f, 16>();

  start(local, tile.top, tile.left, tile.begin);
  fetch(local, tile.begin, tile.end);
  for (var first = tile.begin; first < tile.end; first += BK) {
    workgroupBarrier();
    place(local);
    workgroupBarrier();
    if (first + BK < tile.end) { fetch(local, first + BK, tile.end); }
    addStrips(y, x);
  }
  finishTile(tile.top, tile.left, tile.part, y, x, local);
}
