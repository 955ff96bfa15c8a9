// What bits say of one column, 4 t + i: bit t of half i.
const WIDTH = 1u;
alias B = bool;
fn heldOf(bits: vec2u, t: u32, i: u32) -> B { return ((select(bits.x, bits.y, i > 1u) >> (t + 16u * (i & 1u))) & 1u) == 1u; }
