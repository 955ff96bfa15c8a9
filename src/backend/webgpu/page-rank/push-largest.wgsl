// The KEPT largest entries in rows of PageRank by push, of graphs side by side: bit for bit those of
// graph/push/push-rounds.ts. A workgroup takes one row after the other. It has its own residuals and estimates for all
// nodes of a graph, which are 0 before and after each row; nodes are numbered within their graph.
//
// A round has two phases. First the residuals of the nodes in the frontier are taken; then LANES threads per node hand
// its shares on to the neighbours. The thread whose share lifts a residual to the threshold lists the node in the next
// frontier.
// uses: largest-pushed, threads, u64
// constants: KEPT, LANES, NEAR, THREADS
// params: rows u32, numNodes u32, far u32, start u32, keep u32, unit u32, limit u32
// writes: columns u32, largest f32, residuals atomic<u32>, estimates u32, lists u32
// reads: rowPtr u32, colIdx u32

// The first NEAR elements of a list are in workgroup memory, the others in `lists`, which has room for `far` elements
// per list and behind them for all pushed nodes.
const SHARES = 2u; // lists 0 and 1 are the frontiers
const PUSHED = 3u;

var<workgroup> near: array<u32, 3u * NEAR>;
var<workgroup> frontierSizes: array<atomic<u32>, 2>;
var<workgroup> frontierSize: u32;
var<workgroup> numPushed: atomic<u32>;
var<private> firstNode: u32; // of the graph, among all rows
var<private> firstPlace: u32; // of this workgroup in residuals and estimates
var<private> firstListed: u32;

fn listed(list: u32, i: u32) -> u32 {
  if (i < NEAR) { return near[list * NEAR + i]; }
  return lists[firstListed + list * params.far + i];
}

fn setListed(list: u32, i: u32, value: u32) {
  if (i < NEAR) { near[list * NEAR + i] = value; } else { lists[firstListed + list * params.far + i] = value; }
}

fn pushedAt(i: u32) -> u32 { return lists[firstListed + PUSHED * params.far + i]; }
fn degreeOf(node: u32) -> u32 { return rowPtr[firstNode + node + 1u] - rowPtr[firstNode + node]; }

// Rounded down to the 24 bits of a float.
fn valueOf(node: u32) -> f32 {
  let estimate = estimates[firstPlace + node];
  let extra = max(firstLeadingBit(estimate), 23u) - 23u;
  return f32((estimate >> extra) << extra) * 0x1p-32;
}

fn thresholdOf(node: u32) -> u32 {
  let degree = degreeOf(node);
  return select(params.unit * degree, 0xffffffffu, degree > params.limit); // else the product would overflow 32 bits
}

fn barrier() {
  workgroupBarrier();
  storageBarrier();
}

fn start(source: u32, local: u32) {
  if (local == 0u) {
    atomicStore(&residuals[firstPlace + source], params.start);
    setListed(0u, 0u, source);
    atomicStore(&frontierSizes[0], 1u);
    atomicStore(&frontierSizes[1], 0u);
    atomicStore(&numPushed, 0u);
  }
  barrier();
}

fn takeResiduals(frontier: u32, size: u32, local: u32) {
  for (var i = local; i < size; i += THREADS) {
    let node = listed(frontier, i);
    let residual = atomicExchange(&residuals[firstPlace + node], 0u);
    let estimate = estimates[firstPlace + node];
    estimates[firstPlace + node] = estimate + residual;
    if (estimate == 0u) { lists[firstListed + PUSHED * params.far + atomicAdd(&numPushed, 1u)] = node; }
    setListed(SHARES, i, mulWide(residual, params.keep).y / degreeOf(node));
  }
}

fn receive(node: u32, share: u32, next: u32) {
  let threshold = thresholdOf(node); // loaded before the sum, so that both overlap
  let before = atomicAdd(&residuals[firstPlace + node], share);
  if (before < threshold && before + share >= threshold) { setListed(next, atomicAdd(&frontierSizes[next], 1u), node); }
}

fn handOn(frontier: u32, size: u32, local: u32) {
  for (var i = local / LANES; i < size; i += THREADS / LANES) {
    let row = firstNode + listed(frontier, i);
    let share = listed(SHARES, i);
    let end = rowPtr[row + 1u];
    for (var e = rowPtr[row] + local % LANES; e < end; e += LANES) { receive(colIdx[e] - firstNode, share, 1u - frontier); }
  }
}

fn pushRounds(local: u32) {
  var frontier = 0u;
  loop {
    if (local == 0u) { frontierSize = atomicLoad(&frontierSizes[frontier]); }
    let size = workgroupUniformLoad(&frontierSize);
    if (size == 0u) { break; }
    if (local == 0u) { atomicStore(&frontierSizes[1u - frontier], 0u); }
    takeResiduals(frontier, size, local);
    barrier();
    handOn(frontier, size, local);
    barrier();
    frontier = 1u - frontier;
  }
}

// If there are fewer than KEPT entries, the rest get the row's own column and the value 0.
fn writeLargest(row: u32, count: u32, local: u32) {
  let size = takeLargest(count, local);
  for (var t = local; t < KEPT; t += THREADS) {
    if (t < size) {
      let node = taken[t];
      let at = row * KEPT + rankOf(node, size);
      columns[at] = firstNode + node;
      largest[at] = valueOf(node);
    } else {
      columns[row * KEPT + t] = row;
      largest[row * KEPT + t] = 0.0;
    }
  }
  barrier();
}

// Residuals can only be left at neighbours of pushed nodes.
fn clear(count: u32, local: u32) {
  for (var i = local / LANES; i < count; i += THREADS / LANES) {
    let node = pushedAt(i);
    let row = firstNode + node;
    let end = rowPtr[row + 1u];
    for (var e = rowPtr[row] + local % LANES; e < end; e += LANES) { atomicStore(&residuals[firstPlace + colIdx[e] - firstNode], 0u); }
    if (local % LANES == 0u) { estimates[firstPlace + node] = 0u; }
  }
  barrier();
}

@compute @workgroup_size(THREADS)
fn main(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let index = groupIndex(group);
  firstPlace = index * params.numNodes;
  firstListed = index * (PUSHED * params.far + params.numNodes);
  for (var row = index; row < params.rows; row += group.count.x * group.count.y) {
    firstNode = row - row % params.numNodes;
    start(row - firstNode, local);
    pushRounds(local);
    let count = atomicLoad(&numPushed);
    writeLargest(row, count, local);
    clear(count, local);
  }
}
