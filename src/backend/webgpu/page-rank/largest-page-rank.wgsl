// The KEPT largest entries in rows of PageRank, of graphs of NODES nodes side by side. PageRank is symmetric, so its
// columns are its rows: a workgroup solves for some columns from beginning to end. The current iterate, from which
// neighbours are gathered, is in workgroup memory; the previous one is needed only by the thread of a row, which keeps
// it.
//
// The iterates are those of page-rank.ts, divided by their Chebyshev values and by the degrees: with z_0 = 0, z_1 = f and ω_1 = 2,
//   ω_{k+1} = 1 / (1 − ρ²ω_k / 4),  z_{k+1} = z_{k−1} + ω_{k+1}(ρ·D⁻¹(A + I)z_k + f − z_{k−1}),
// where f is α / √deg at the node of the column and 0 elsewhere. All of them are computed SCALE times as large.
// PageRank is z·√deg. rank-rows.wgsl orders the rows, row-slots.wgsl says which thread takes which, and slice-rows.wgsl
// how their neighbours are stored.
// uses: largest-in-workgroup, threads, row-slots
// requires: Columns, COLUMNS, SCALE, Stored, stored(x), loaded(x), columnOf(x, c), unitColumn(c), sumTeam(x, local)
// constants: KEPT, NODES, THREADS, LANES, ROWS
// params: graphs u32, steps u32, alpha f32
// writes: columns u32, largest f32
// reads: slicePtr u32, slices u32, longRows u32, nodes u32, lengths u32

const SLICES = WARPS * ROUNDS;
const GROUPS = (NODES + COLUMNS - 1u) / COLUMNS; // workgroups of a graph
const FURTHER = max(ROWS, 9u) - 8u;

var<workgroup> now: array<Stored, NODES + 1u>; // the last is 0, for neighbours that do not exist
// Of this thread's row in each of the first eight rounds: the previous iterate, the current one, and its number of
// entries · 2^16 + words. They are variables rather than arrays so that they stay in registers, and a step reads little
// but words from memory.
var<private> before0: Columns;
var<private> before1: Columns;
var<private> before2: Columns;
var<private> before3: Columns;
var<private> before4: Columns;
var<private> before5: Columns;
var<private> before6: Columns;
var<private> before7: Columns;
var<private> own0: Columns;
var<private> own1: Columns;
var<private> own2: Columns;
var<private> own3: Columns;
var<private> own4: Columns;
var<private> own5: Columns;
var<private> own6: Columns;
var<private> own7: Columns;
var<private> rows0: u32;
var<private> rows1: u32;
var<private> rows2: u32;
var<private> rows3: u32;
var<private> rows4: u32;
var<private> rows5: u32;
var<private> rows6: u32;
var<private> rows7: u32;
var<private> further: array<Columns, FURTHER>; // the previous iterate, in later rounds
var<private> longBefore: Columns; // of the long row that this thread owns
var<private> longOwn: Columns;
var<private> longLength: f32;
var<private> graph: u32;
var<private> firstColumn: u32; // the place of the workgroup's first column
var<private> numLong: u32;
var<private> firstWord: u32; // of this thread
var<private> word: u32; // the next one to read; the words of a warp's threads alternate

fn columnsAt(place: u32) -> Columns { return loaded(now[place]); }
fn nodeAt(place: u32) -> u32 { return nodes[graph * NODES + place]; }
fn lengthAt(place: u32) -> f32 { return f32(lengths[graph * NODES + place]); }

// The right side f, in all columns.
fn rightSide(place: u32) -> Columns {
  if (place - firstColumn >= COLUMNS || place >= NODES) { return Columns(); }
  return unitColumn(place - firstColumn) * (SCALE * params.alpha * inverseSqrt(lengthAt(place)));
}

fn sumOf(two: u32) -> Columns { return columnsAt(two & 0xffffu) + columnsAt(two >> 16u); }

// Sums neighbours up to the word `end`. Several words are loaded at once: a warp waits for all of them together.
fn sumWords(end: u32) -> Columns {
  var sum = Columns();
  for (; word + 3u * WARP < end; word += 4u * WARP) {
    let first = slices[word];
    let second = slices[word + WARP];
    let third = slices[word + 2u * WARP];
    let fourth = slices[word + 3u * WARP];
    sum += (sumOf(first) + sumOf(second)) + (sumOf(third) + sumOf(fourth));
  }
  if (word + WARP < end) {
    let first = slices[word];
    let second = slices[word + WARP];
    sum += sumOf(first) + sumOf(second);
    word += 2u * WARP;
  }
  if (word < end) {
    sum += sumOf(slices[word]);
    word += WARP;
  }
  return sum;
}

// z_{k+1} of a row, from its z_{k−1} and the sum of z_k over its entries.
fn stepped(place: u32, length: f32, sum: Columns, omega: f32, last: Columns) -> Columns {
  return last + omega * ((1.0 - params.alpha) / length * sum + rightSide(place) - last);
}

// The sum of the neighbours of the long row that this thread owns. All teams run the same number of rounds.
fn sumLong(rounds: u32, local: u32) -> Columns {
  let slice = graph * (SLICES + 1u) + local / WARP * ROUNDS;
  var own = Columns();
  for (var round = 0u; round < rounds; round++) {
    let sum = sumTeam(sumWords(slicePtr[slice + round + 1u] + local % WARP), local);
    if (round == local % LANES) { own = sum; }
  }
  return own;
}

fn advanceLong(omega: f32, rounds: u32, local: u32) {
  let sum = sumLong(rounds, local) + longOwn;
  let place = ownLongPlace(local);
  if (place < numLong) { longBefore = stepped(place, longLength, sum, omega, longBefore); }
}

fn advanceRow(round: u32, row: u32, omega: f32, last: Columns, mine: Columns, local: u32) -> Columns {
  let sum = sumWords(word + WARP * (row & 0xffffu)) + mine;
  return stepped(shortPlace(numLong, round, local), f32(row >> 16u), sum, omega, last);
}

fn advanceFurther(round: u32, omega: f32, local: u32) {
  let mine = columnsAt(min(shortPlace(numLong, round, local), NODES));
  further[round - 8u] = advanceRow(round, describeRow(round, local), omega, further[round - 8u], mine, local);
}

fn shareRow(round: u32, next: Columns, local: u32) {
  let place = shortPlace(numLong, round, local);
  if (place < NODES) { now[place] = stored(next); }
}

// The next iterate becomes the current one, and that the previous. `advance` does this for the rows of the first
// rounds.
fn exchangeFurther(round: u32, local: u32) {
  let next = further[round - 8u];
  further[round - 8u] = columnsAt(min(shortPlace(numLong, round, local), NODES));
  shareRow(round, next, local);
}

fn exchangeLong(local: u32) {
  let next = longBefore;
  longBefore = longOwn;
  longOwn = next;
  let place = ownLongPlace(local);
  if (place < numLong) { now[place] = stored(next); }
}

// Number of entries · 2^16 + words of the row in a round. Where there is no row, only zeros are gathered.
fn describeRow(round: u32, local: u32) -> u32 {
  let slice = graph * (SLICES + 1u) + local / WARP * ROUNDS + LANES + round;
  let words = (slicePtr[slice + 1u] - slicePtr[slice]) / WARP;
  let place = shortPlace(numLong, round, local);
  var length = 1u;
  if (place < NODES) { length = lengths[graph * NODES + place]; }
  return (length << 16u) | words;
}

fn startRow(round: u32, local: u32) -> Columns { return rightSide(shortPlace(numLong, round, local)); }

fn start(local: u32) {
  if (ROWS > 0u) { rows0 = describeRow(0u, local); own0 = startRow(0u, local); }
  if (ROWS > 1u) { rows1 = describeRow(1u, local); own1 = startRow(1u, local); }
  if (ROWS > 2u) { rows2 = describeRow(2u, local); own2 = startRow(2u, local); }
  if (ROWS > 3u) { rows3 = describeRow(3u, local); own3 = startRow(3u, local); }
  if (ROWS > 4u) { rows4 = describeRow(4u, local); own4 = startRow(4u, local); }
  if (ROWS > 5u) { rows5 = describeRow(5u, local); own5 = startRow(5u, local); }
  if (ROWS > 6u) { rows6 = describeRow(6u, local); own6 = startRow(6u, local); }
  if (ROWS > 7u) { rows7 = describeRow(7u, local); own7 = startRow(7u, local); }
  let long = min(ownLongPlace(local), NODES - 1u);
  longBefore = Columns();
  longOwn = rightSide(long);
  longLength = lengthAt(long);
  firstWord = slicePtr[graph * (SLICES + 1u) + local / WARP * ROUNDS] + local % WARP;
  for (var place = local; place < NODES; place += THREADS) { now[place] = stored(rightSide(place)); }
  if (local == 0u) { now[NODES] = stored(Columns()); }
  workgroupBarrier();
}

// One step: `before` becomes the next iterate and then changes places with the current one, `own`.
fn advance(omega: f32, longRounds: u32, local: u32) {
  word = firstWord;
  advanceLong(omega, longRounds, local);
  if (ROWS > 0u) { before0 = advanceRow(0u, rows0, omega, before0, own0, local); }
  if (ROWS > 1u) { before1 = advanceRow(1u, rows1, omega, before1, own1, local); }
  if (ROWS > 2u) { before2 = advanceRow(2u, rows2, omega, before2, own2, local); }
  if (ROWS > 3u) { before3 = advanceRow(3u, rows3, omega, before3, own3, local); }
  if (ROWS > 4u) { before4 = advanceRow(4u, rows4, omega, before4, own4, local); }
  if (ROWS > 5u) { before5 = advanceRow(5u, rows5, omega, before5, own5, local); }
  if (ROWS > 6u) { before6 = advanceRow(6u, rows6, omega, before6, own6, local); }
  if (ROWS > 7u) { before7 = advanceRow(7u, rows7, omega, before7, own7, local); }
  for (var r = 8u; r < ROWS; r++) { advanceFurther(r, omega, local); }
  workgroupBarrier();
  exchangeLong(local);
  if (ROWS > 0u) { let next = before0; before0 = own0; own0 = next; shareRow(0u, next, local); }
  if (ROWS > 1u) { let next = before1; before1 = own1; own1 = next; shareRow(1u, next, local); }
  if (ROWS > 2u) { let next = before2; before2 = own2; own2 = next; shareRow(2u, next, local); }
  if (ROWS > 3u) { let next = before3; before3 = own3; own3 = next; shareRow(3u, next, local); }
  if (ROWS > 4u) { let next = before4; before4 = own4; own4 = next; shareRow(4u, next, local); }
  if (ROWS > 5u) { let next = before5; before5 = own5; own5 = next; shareRow(5u, next, local); }
  if (ROWS > 6u) { let next = before6; before6 = own6; own6 = next; shareRow(6u, next, local); }
  if (ROWS > 7u) { let next = before7; before7 = own7; own7 = next; shareRow(7u, next, local); }
  for (var r = 8u; r < ROWS; r++) { exchangeFurther(r, local); }
  workgroupBarrier();
}

fn finish(local: u32) {
  for (var place = local; place < NODES; place += THREADS) { now[place] = stored(sqrt(lengthAt(place)) * columnsAt(place)); }
  workgroupBarrier();
}

fn writeLargest(local: u32) {
  takeLargest(local);
  for (var t = local; t < min(COLUMNS, NODES - firstColumn) * KEPT; t += THREADS) {
    let c = t / KEPT;
    let entry = takenEntries[t];
    let row = graph * NODES + nodeAt(firstColumn + c);
    let at = row * KEPT + rankOf(entry, c);
    columns[at] = graph * NODES + (entry >> 16u);
    largest[at] = columnOf(columnsAt(entry & 0xffffu), c) / SCALE;
  }
}

@compute @workgroup_size(THREADS)
fn main(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let index = groupIndex(group);
  if (index >= params.graphs * GROUPS) { return; }
  graph = index / GROUPS;
  firstColumn = index % GROUPS * COLUMNS;
  numLong = longRows[index / GROUPS];
  // not from `numLong`, which the compiler does not know to be the same for all threads
  let longRounds = (longRows[index / GROUPS] + TEAMS - 1u) / TEAMS;
  let rho = 1.0 - params.alpha;
  var omega = 2.0;
  start(local);
  for (var step = 0u; step < params.steps; step++) {
    omega = 1.0 / (1.0 - 0.25 * rho * rho * omega);
    advance(omega, longRounds, local);
  }
  finish(local);
  writeLargest(local);
}
