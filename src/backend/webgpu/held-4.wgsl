// What bits say of four columns, 4 t … 4 t + 3: bit t of each half.
const WIDTH = 4u;
alias B = vec4<bool>;
fn heldOf(bits: vec2u, t: u32, i: u32) -> B {
  return ((vec4u(bits.x, bits.x >> 16u, bits.y, bits.y >> 16u) >> vec4u(t)) & vec4u(1u)) == vec4u(1u);
}
