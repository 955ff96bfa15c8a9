// `make` writes keys that sort the selected positions by descending value, the lower position first on ties; `take`
// reads the sorted positions from them.
// uses: order-key, threads
// params: count u32, size u32
// writes: keys vec2u, positions u32
// reads: X f32

@compute @workgroup_size(WORKGROUP)
fn make(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let t = threadIndex(group, local);
  if (t >= params.size) { return; }
  var key = vec2u(0xffffffffu);
  if (t < params.count) {
    let e = positions[t];
    key = vec2u(e, ~orderKey(X[e]));
  }
  keys[t] = key;
}

@compute @workgroup_size(WORKGROUP)
fn take(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let t = threadIndex(group, local);
  if (t < params.count) { positions[t] = keys[t].x; }
}
