/** A 64-bit number as kernels take it: the lower and the upper 32 bits. */
export function halves(value: bigint): number[] {
  return [Number(value & 0xffff_ffffn), Number(value >> 32n)];
}
