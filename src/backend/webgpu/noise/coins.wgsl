// Four random words for a place in a noisy graph, as in graph/noise/pair-coins.ts: a permutation of four words (pcg4d of Jarzynski
// and Olano 2020), twice.
// params: keyA u32, keyB u32, keyC u32, keyD u32

fn addProducts(words: vec4u) -> vec4u {
  var v = words;
  v.x += v.y * v.w;
  v.y += v.z * v.x;
  v.z += v.x * v.y;
  v.w += v.y * v.z;
  return v;
}

fn mixWords(words: vec4u) -> vec4u {
  let v = addProducts(words * 1664525u + 1013904223u);
  return addProducts(v ^ (v >> vec4u(16u)));
}

fn coinWords(place: vec4u) -> vec4u {
  return mixWords(mixWords(place ^ vec4u(params.keyA, params.keyB, params.keyC, params.keyD)));
}
