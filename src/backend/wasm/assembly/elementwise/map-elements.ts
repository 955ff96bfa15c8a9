// Loops over elements begin … end − 1 for any function F. Buffers are padded to whole vectors, so there is no tail: the last
// vector may touch padding that nobody reads. Ranges begin at multiples of four.
//
// A function is a class with a method `of`, because AssemblyScript compiles a loop of its own for each class it is given, with the method
// in it. A function that is passed as a value would be called for every vector.

/** out = F(x). */
export function mapElements<F>(begin: i32, end: i32, out: usize, x: usize): void {
  const last = (<usize>end) << 2;
  for (let at = (<usize>begin) << 2; at < last; at += 16) {
    v128.store(out + at, changetype<F>(0).of(v128.load(x + at)));
  }
}

/** out = F(a, b). */
export function mapPairs<F>(begin: i32, end: i32, out: usize, a: usize, b: usize): void {
  const last = (<usize>end) << 2;
  for (let at = (<usize>begin) << 2; at < last; at += 16) {
    v128.store(out + at, changetype<F>(0).of(v128.load(a + at), v128.load(b + at)));
  }
}
