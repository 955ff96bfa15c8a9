import type { Backend } from "../backend.ts";
export function robust(): Pick<
  Backend,
  | "weightedMedian"
  | "softMedian"
  | "softMedianGrad"
  | "pullRows"
  | "scatterAddEntries"
  | "softMedoid"
  | "softMedoidGrad"
> {
  return {} as never;
}
