// The entries of noisy graphs side by side: where SCATTER is 0, counts the entries of each row; where it is 1, puts
// them into their rows, in any order. A thread takes one of three things in one graph: a tile of 16 × 16 pairs on or
// above the diagonal (draws the edges added there), an edge (draws whether it stays) or a node (its self-loop). While
// counting, slots_i is the number of entries of row i. While scattering, it is the next free place of row i; entries
// right of the diagonal fill the row from its end, and slots_{rows + i} is the end of its free places.
// uses: coins, threads
// constants: SCATTER
// params: graphs u32, numNodes u32, numTiles u32, tilesAcross u32, numEdges u32, vanish u32, first u32, rows u32, capacity u32
// writes: slots atomic<u32>, columns u32
// reads: cleanPtr u32, cleanIdx u32, sources u32, targets u32, limits u32

const TILE = 16u;
const TILE_PAIRS = 256u;
const EDGE = 0xffffffffu;

fn putEntry(row: u32, column: u32) {
  if (SCATTER == 0u) {
    atomicAdd(&slots[row], 1u);
    return;
  }
  var at = 0u;
  if (column > row) {
    at = atomicSub(&slots[params.rows + row], 1u) - 1u;
  } else {
    at = atomicAdd(&slots[row], 1u);
  }
  if (at < params.capacity) { columns[at] = column; }
}

fn putPair(graph: u32, i: u32, j: u32) {
  let begin = graph * params.numNodes;
  putEntry(begin + i, begin + j);
  putEntry(begin + j, begin + i);
}

fn isEdge(i: u32, j: u32) -> bool {
  var low = cleanPtr[i];
  let end = cleanPtr[i + 1u];
  var high = end;
  while (low < high) {
    let middle = (low + high) / 2u;
    if (cleanIdx[middle] < j) { low = middle + 1u; } else { high = middle; }
  }
  if (low == end) { return false; }
  return cleanIdx[low] == j;
}

// The skip that a word stands for: the number of ascending limits that are at most `word`.
fn skipOf(word: u32) -> u32 {
  if (word >= limits[TILE_PAIRS - 1u]) { return TILE_PAIRS; } // mostly: nothing more in this tile
  var low = 0u;
  var high = TILE_PAIRS - 1u;
  while (low < high) {
    let middle = (low + high) / 2u;
    if (word < limits[middle]) { high = middle; } else { low = middle + 1u; }
  }
  return low;
}

// Row and column of a tile on or above the diagonal. The number of rows of tiles is even; row a and the a-th row from
// the end together have one tile more than a full row, and `index` counts such pairs of rows.
fn tileAt(index: u32) -> vec2u {
  let across = params.tilesAcross;
  let row = index / (across + 1u);
  let column = index % (across + 1u);
  if (column < across - row) { return vec2u(row, row + column); }
  let other = across - 1u - row;
  return vec2u(other, other + column - (across - row));
}

fn addInTile(graph: u32, tile: vec2u) {
  let number = params.first + graph;
  var words = coinWords(vec4u(tile, number, 0u));
  var place = skipOf(words.x);
  var drawn = 1u;
  while (place < TILE_PAIRS) {
    let i = TILE * tile.x + place / TILE;
    let j = TILE * tile.y + place % TILE;
    if (i < j && j < params.numNodes) {
      if (!isEdge(i, j)) { putPair(graph, i, j); }
    }
    if (drawn % 4u == 0u) { words = coinWords(vec4u(tile, number, drawn / 4u)); }
    place += 1u + skipOf(words[drawn % 4u]);
    drawn++;
  }
}

@compute @workgroup_size(WORKGROUP)
fn main(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let perGraph = params.numTiles + params.numEdges + params.numNodes;
  let index = threadIndex(group, local);
  let graph = index / perGraph;
  if (graph >= params.graphs) { return; }
  var at = index % perGraph;
  if (at < params.numTiles) {
    addInTile(graph, tileAt(at));
    return;
  }
  at -= params.numTiles;
  if (at < params.numEdges) {
    let i = sources[at];
    let j = targets[at];
    if (coinWords(vec4u(i, j, params.first + graph, EDGE)).x >= params.vanish) { putPair(graph, i, j); }
    return;
  }
  let node = graph * params.numNodes + at - params.numEdges;
  putEntry(node, node);
}
