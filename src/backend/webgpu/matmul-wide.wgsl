// out = op(A)·B where rows of all three are whole vec4s. Tiles of 128 × BN in workgroup memory (BN = 64 · QUADS), 8 × 4·QUADS
// of them in each thread's registers, and the next tiles on their way from memory while these are multiplied. A tile keeps
// the order of its matrix: along k where A is stored [m, k], across where it is [k, m].
// With several parts of k, part p writes its own [m, n] result.
struct Params { m: u32, n: u32, k: u32, tilesM: u32, tilesN: u32, chunk: u32, accumulate: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> out: array<vec4f>;
@group(0) @binding(2) var<storage, read> A: array<vec4f>;
@group(0) @binding(3) var<storage, read> B: array<vec4f>;

const BM = 128u;
const BK = 16u;
const BN = 64u * QUADS;
const ALONG = BK / 4u + 1u; // vec4s per row of a tile along k, padded against bank conflicts
const ROW_A = BM / 4u;
const ROW_B = BN / 4u;
var<workgroup> tileA: array<vec4f, BM * ALONG>;
var<workgroup> tileB: array<vec4f, BK * ROW_B>;
var<private> sums: array<vec4f, 16>;

// vec4 t of the tile of A that begins at row `top` and column `first` of op(A).
fn loadA(t: u32, top: u32, first: u32, end: u32) -> vec4f {
  if (TRANS_A == 1u) {
    let l = first + t / ROW_A;
    let row = top + 4u * (t % ROW_A);
    if (l < end && row < params.m) { return A[(l * params.m + row) / 4u]; }
  } else {
    let l = first + 4u * (t % 4u);
    let row = top + t / 4u;
    if (l < end && row < params.m) { return A[(row * params.k + l) / 4u]; }
  }
  return vec4f(0.0);
}

fn loadB(t: u32, left: u32, first: u32, end: u32) -> vec4f {
  let l = first + t / ROW_B;
  let col = left + 4u * (t % ROW_B);
  if (l < end && col < params.n) { return B[(l * params.n + col) / 4u]; }
  return vec4f(0.0);
}

fn placeA(t: u32) -> u32 { return select((t / 4u) * ALONG + t % 4u, t, TRANS_A == 1u); }

// Adds the product of a column of eight and a row of four or eight.
fn addProduct(low: vec4f, high: vec4f, b0: vec4f, b1: vec4f) {
  sums[0] = fma(vec4f(low.x), b0, sums[0]);
  sums[2] = fma(vec4f(low.y), b0, sums[2]);
  sums[4] = fma(vec4f(low.z), b0, sums[4]);
  sums[6] = fma(vec4f(low.w), b0, sums[6]);
  sums[8] = fma(vec4f(high.x), b0, sums[8]);
  sums[10] = fma(vec4f(high.y), b0, sums[10]);
  sums[12] = fma(vec4f(high.z), b0, sums[12]);
  sums[14] = fma(vec4f(high.w), b0, sums[14]);
  if (QUADS == 2u) {
    sums[1] = fma(vec4f(low.x), b1, sums[1]);
    sums[3] = fma(vec4f(low.y), b1, sums[3]);
    sums[5] = fma(vec4f(low.z), b1, sums[5]);
    sums[7] = fma(vec4f(low.w), b1, sums[7]);
    sums[9] = fma(vec4f(high.x), b1, sums[9]);
    sums[11] = fma(vec4f(high.y), b1, sums[11]);
    sums[13] = fma(vec4f(high.z), b1, sums[13]);
    sums[15] = fma(vec4f(high.w), b1, sums[15]);
  }
}

// Four columns of eight: entry c of `low` and `high` is column l + c.
struct Columns { low: mat4x4f, high: mat4x4f }

fn columnsOfA(y: u32, l: u32) -> Columns {
  if (TRANS_A == 1u) {
    let at = l * ROW_A + 2u * y;
    return Columns(
      mat4x4f(tileA[at], tileA[at + ROW_A], tileA[at + 2u * ROW_A], tileA[at + 3u * ROW_A]),
      mat4x4f(tileA[at + 1u], tileA[at + ROW_A + 1u], tileA[at + 2u * ROW_A + 1u], tileA[at + 3u * ROW_A + 1u]),
    );
  }
  let at = 8u * y * ALONG + l / 4u;
  return Columns(
    transpose(mat4x4f(tileA[at], tileA[at + ALONG], tileA[at + 2u * ALONG], tileA[at + 3u * ALONG])),
    transpose(mat4x4f(tileA[at + 4u * ALONG], tileA[at + 5u * ALONG], tileA[at + 6u * ALONG], tileA[at + 7u * ALONG])),
  );
}

// Four rows of four columns, the group `q` of thread x.
fn rowsOfB(x: u32, q: u32, l: u32) -> mat4x4f {
  let at = l * ROW_B + q * 16u + x;
  return mat4x4f(tileB[at], tileB[at + ROW_B], tileB[at + 2u * ROW_B], tileB[at + 3u * ROW_B]);
}

fn multiplyTiles(y: u32, x: u32) {
  for (var l = 0u; l < BK; l += 4u) {
    let a = columnsOfA(y, l);
    let b0 = rowsOfB(x, 0u, l);
    var b1 = b0;
    if (QUADS == 2u) { b1 = rowsOfB(x, 1u, l); }
    addProduct(a.low[0], a.high[0], b0[0], b1[0]);
    addProduct(a.low[1], a.high[1], b0[1], b1[1]);
    addProduct(a.low[2], a.high[2], b0[2], b1[2]);
    addProduct(a.low[3], a.high[3], b0[3], b1[3]);
  }
}

fn store(row: u32, col: u32, part: u32, sum: vec4f) {
  if (row >= params.m || col >= params.n) { return; }
  let e = ((part * params.m + row) * params.n + col) / 4u;
  if (params.accumulate == 1u) { out[e] += sum; } else { out[e] = sum; }
}

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let index = groupIndex(group, groups);
  let tiles = params.tilesM * params.tilesN;
  let part = index / tiles;
  let top = ((index % tiles) / params.tilesN) * BM;
  let left = ((index % tiles) % params.tilesN) * BN;
  let begin = part * params.chunk;
  let end = min(params.k, begin + params.chunk);
  let y = local / 16u;
  let x = local % 16u;
  sums = array<vec4f, 16>();

  var a0 = loadA(local, top, begin, end);
  var a1 = loadA(local + WORKGROUP, top, begin, end);
  var b0 = loadB(local, left, begin, end);
  var b1 = vec4f(0.0);
  if (QUADS == 2u) { b1 = loadB(local + WORKGROUP, left, begin, end); }
  for (var first = begin; first < end; first += BK) {
    workgroupBarrier();
    tileA[placeA(local)] = a0;
    tileA[placeA(local + WORKGROUP)] = a1;
    tileB[local] = b0;
    if (QUADS == 2u) { tileB[local + WORKGROUP] = b1; }
    workgroupBarrier();
    a0 = loadA(local, top, first + BK, end);
    a1 = loadA(local + WORKGROUP, top, first + BK, end);
    b0 = loadB(local, left, first + BK, end);
    if (QUADS == 2u) { b1 = loadB(local + WORKGROUP, left, first + BK, end); }
    multiplyTiles(y, x);
  }
  let row = top + 8u * y;
  let col = left + 4u * x;
  store(row, col, part, sums[0]);
  store(row + 1u, col, part, sums[2]);
  store(row + 2u, col, part, sums[4]);
  store(row + 3u, col, part, sums[6]);
  store(row + 4u, col, part, sums[8]);
  store(row + 5u, col, part, sums[10]);
  store(row + 6u, col, part, sums[12]);
  store(row + 7u, col, part, sums[14]);
  if (QUADS == 1u) { return; }
  store(row, col + 64u, part, sums[1]);
  store(row + 1u, col + 64u, part, sums[3]);
  store(row + 2u, col + 64u, part, sums[5]);
  store(row + 3u, col + 64u, part, sums[7]);
  store(row + 4u, col + 64u, part, sums[9]);
  store(row + 5u, col + 64u, part, sums[11]);
  store(row + 6u, col + 64u, part, sums[13]);
  store(row + 7u, col + 64u, part, sums[15]);
}
