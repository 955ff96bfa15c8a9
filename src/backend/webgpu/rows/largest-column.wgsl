// The largest entry of a row other than column `skipped`, the first on ties. All threads of a row must call this
// together.
// uses: row-lanes
// requires: maxLanes(x, local), minLanes(x, local)
// constants: LANES
// params: lowest f32, cols u32
// reads: X f32

const NONE = 0xffffffffu;

struct Largest { value: f32, column: u32 }

fn largestBut(skipped: u32, share: RowShare, local: u32) -> Largest {
  var best = params.lowest;
  var column = NONE;
  for (var c = share.begin; c < share.end; c += LANES) {
    let x = X[share.row * params.cols + c];
    if (c != skipped && (column == NONE || x > best)) {
      best = x;
      column = c;
    }
  }
  let top = maxLanes(best, local);
  return Largest(top, minLanes(select(NONE, column, best == top), local));
}
