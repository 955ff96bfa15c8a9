/** Where an axis of accuracies begins: at a whole tenth, with room below the lowest of them. */
export function floorBelow(lowest: number): number {
  return Math.max(0, Math.floor(lowest * 10 - 0.5) / 10);
}

/** Lines from 100% down to the floor: every 10%, or every 20% if the floor is below 50%. */
export function ticksAbove(floor: number): number[] {
  const step = 1 - floor > 0.5 ? 0.2 : 0.1;
  const shares: number[] = [];
  for (let share = 1; share > floor - 1e-9; share -= step) shares.push(Math.round(share * 10) / 10);
  return shares;
}
