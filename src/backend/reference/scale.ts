import type { Scale } from "../backend.ts";
import { floats } from "./storage.ts";

/** Functions that return entry i of the diagonal of L and of R. */
export function sides(kernel: string, scale: Scale | undefined, rows: number): [left: Diagonal, right: Diagonal] {
  if (!scale) return [one, one];
  const by = floats(kernel, "scale.by", scale.by, rows);
  const factor: Diagonal = (i) => by[i];
  return [scale.sides === "right" ? one : factor, scale.sides === "left" ? one : factor];
}

type Diagonal = (i: number) => number;

const one: Diagonal = () => 1;
