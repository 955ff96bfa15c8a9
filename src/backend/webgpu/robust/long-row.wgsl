// Splits long rows into pieces of up to PIECE entries, which different workgroups take. `pieces` lists all but the
// first piece of each row: their number, an unused word, then for each its row and its number within the row.
// constants: PIECE

fn numPieces(length: u32) -> u32 { return max(1u, (length + PIECE - 1u) / PIECE); }

// Where a piece of the entries from `first` up to `last` begins and ends.
fn pieceOf(number: u32, first: u32, last: u32) -> vec2u {
  let count = numPieces(last - first);
  let each = (last - first + count - 1u) / count;
  return min(first + (number + vec2u(0u, 1u)) * each, vec2u(last));
}
