import { type FlipNoise, isNoisy, type Noise } from "./noise.ts";

/** Noise on one matrix in words. */
export function flipNoiseText({ add, delete: drop }: FlipNoise): string {
  const parts = [...(add > 0 ? [`add ${add}`] : []), ...(drop > 0 ? [`delete ${drop}`] : [])];
  return parts.length > 0 ? parts.join(", ") : "none";
}

/** Noise on a graph in words. */
export function noiseText({ edges, features }: Noise): string {
  const onFeatures = `features: ${flipNoiseText(features)}`;
  if (!isNoisy(features)) return flipNoiseText(edges);
  return isNoisy(edges) ? `${flipNoiseText(edges)}; ${onFeatures}` : onFeatures;
}
