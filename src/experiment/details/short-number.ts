/** Five digits: enough for a picture, and short in JSON. */
export function shortNumber(value: number): number {
  return Number(value.toPrecision(5));
}
