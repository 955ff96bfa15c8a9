import { InvalidArgumentError } from "commander";

const UNITS: Readonly<Record<string, number>> = { "": 1, K: 2 ** 10, M: 2 ** 20, G: 2 ** 30, T: 2 ** 40 };

/** `4G`, `512M` or a number of bytes. */
export function memorySize(text: string): number {
  const match = /^(\d+(?:\.\d+)?)([KMGT]?)(?:i?B)?$/i.exec(text.trim());
  if (!match) throw new InvalidArgumentError(`must be a size such as 4G or 512M, got "${text}".`);
  const bytes = Math.floor(Number(match[1]) * UNITS[match[2].toUpperCase()]);
  if (bytes < LEAST) throw new InvalidArgumentError(`must be 1M at least, got "${text}".`);
  return bytes;
}

const LEAST = 2 ** 20;
