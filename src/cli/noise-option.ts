import { InvalidArgumentError } from "commander";
import type { FlipNoise } from "../graph/noise/noise.ts";
import { realNumber } from "./number-options.ts";

/** `add=0.001,delete=0.4`, or one of them. */
export function flipNoise(text: string): FlipNoise {
  const noise: { add: number; delete: number } = { add: 0, delete: 0 };
  const named = new Set<string>();
  for (const part of text.split(",")) {
    const [name, value, ...rest] = part.split("=");
    if ((name !== "add" && name !== "delete") || value === undefined || rest.length > 0)
      throw new InvalidArgumentError(`must look like add=0.001,delete=0.4, got "${text}".`);
    if (named.has(name)) throw new InvalidArgumentError(`names ${name} twice.`);
    named.add(name);
    noise[name] = realNumber(value);
    if (noise[name] < 0 || noise[name] >= 1)
      throw new InvalidArgumentError(`takes probabilities below 1, got ${name}=${value}.`);
  }
  return noise;
}
