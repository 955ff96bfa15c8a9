// A power of two per row: halves are multiples of it, the largest of them below 2^15, so that none of the others is lost beside it.

// Below this a row counts as 0: its unit would be no normal number any more.
const SMALLEST = 1e-30;

fn largestOf(x: vec4f) -> f32 {
  let size = abs(x);
  return max(max(size.x, size.y), max(size.z, size.w));
}

fn unitOf(largest: f32) -> f32 {
  let power = bitcast<f32>(bitcast<u32>(largest) & 0x7f800000u); // the power of two up to it
  return power / 16384.0;
}
