// Functions of one number, for kernels that process a row number by number (T is f32).
fn total(x: f32) -> f32 { return x; }
fn inner(a: f32, b: f32) -> f32 { return a * b; }
fn positive(x: f32) -> f32 { return max(x, 0.0); }
