// The weight of entry e of a sparse matrix: its value, or 1 in a matrix without values (VALUED is 0).
// constants: VALUED
// reads: entryValues f32

fn weightOf(e: u32) -> f32 {
  if (VALUED == 1u) { return entryValues[e]; }
  return 1.0;
}
