// The tile of an [m, n] product that a workgroup computes: BM × BN from row `top` and column `left` on, summed over the
// part begin … end − 1 of k.
// requires: BM, BN
// params: k u32, tilesM u32, tilesN u32, chunk u32

struct Tile { part: u32, top: u32, left: u32, begin: u32, end: u32 }

fn tileOf(index: u32) -> Tile {
  let tiles = params.tilesM * params.tilesN;
  let part = index / tiles;
  let top = ((index % tiles) / params.tilesN) * BM;
  let left = ((index % tiles) % params.tilesN) * BN;
  let begin = part * params.chunk;
  return Tile(part, top, left, begin, min(params.k, begin + params.chunk));
}
