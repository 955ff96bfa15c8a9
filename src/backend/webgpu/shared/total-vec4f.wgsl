// What kernels do with four numbers of a row at a time.
fn total(x: vec4f) -> f32 { return (x.x + x.y) + (x.z + x.w); }
fn inner(a: vec4f, b: vec4f) -> f32 { return total(a * b); }
fn positive(x: vec4f) -> vec4f { return max(x, vec4f()); }
