// Long rows in pieces of up to PIECE entries, for as many workgroups. The pieces behind the first of their row are listed: how
// many there are, nothing, then row and number in it of each.
// constants: PIECE

fn numPieces(length: u32) -> u32 { return max(1u, (length + PIECE - 1u) / PIECE); }

// Where a piece of the entries from `first` up to `last` begins and ends.
fn pieceOf(number: u32, first: u32, last: u32) -> vec2u {
  let count = numPieces(last - first);
  let each = (last - first + count - 1u) / count;
  return min(first + (number + vec2u(0u, 1u)) * each, vec2u(last));
}
