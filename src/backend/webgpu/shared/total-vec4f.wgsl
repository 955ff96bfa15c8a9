// Functions of four numbers, for kernels that process a row four numbers at a time (T is vec4f).
fn total(x: vec4f) -> f32 { return (x.x + x.y) + (x.z + x.w); }
fn inner(a: vec4f, b: vec4f) -> f32 { return total(a * b); }
fn positive(x: vec4f) -> vec4f { return max(x, vec4f()); }
