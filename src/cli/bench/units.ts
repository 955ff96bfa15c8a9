export function milliseconds(time: number): string {
  return `${time.toFixed(time < 10 ? 3 : 1)} ms`;
}

export function percent(share: number): string {
  return `${Math.round(100 * share)} %`;
}
