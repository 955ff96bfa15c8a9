// Philox 4x32-10 (Salmon et al., SC 2011), the generator of core/philox.ts.
const M0: u32 = 0xd2511f53;
const M1: u32 = 0xcd9e8d57;
const W0: u32 = 0x9e3779b9;
const W1: u32 = 0xbb67ae85;

/** The first two words of counter (counter, 0, 0, 0), the first one low. */
export function philox64(counter: u32, lo: u32, hi: u32): u64 {
  let c0 = counter;
  let c1: u32 = 0;
  let c2: u32 = 0;
  let c3: u32 = 0;
  let k0 = lo;
  let k1 = hi;
  for (let round = 0; round < 10; round++) {
    const p0 = <u64>M0 * <u64>c0;
    const p1 = <u64>M1 * <u64>c2;
    c0 = <u32>(p1 >> 32) ^ c1 ^ k0;
    c1 = <u32>p1;
    c2 = <u32>(p0 >> 32) ^ c3 ^ k1;
    c3 = <u32>p0;
    k0 += W0;
    k1 += W1;
  }
  return ((<u64>c1) << 32) | <u64>c0;
}
