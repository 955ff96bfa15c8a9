// The unit of a row packed as halves, a power of two: number = unit · half. It makes the largest half of a row 2^14 …
// 2^15, near the top of the range of halves, so that the small numbers of the row are kept too.

// Rows whose largest number is below this have the unit of this number: smaller units might not be normal floats.
const SMALLEST = 1e-30;

fn largestOf(x: vec4f) -> f32 {
  let size = abs(x);
  return max(max(size.x, size.y), max(size.z, size.w));
}

fn unitOf(largest: f32) -> f32 {
  let power = bitcast<f32>(bitcast<u32>(largest) & 0x7f800000u); // the largest power of two up to it
  return power / 16384.0;
}
