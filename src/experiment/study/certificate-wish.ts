import { UserError } from "../../core/errors.ts";
import { checkNoise, type FlipNoise, noNoise } from "../../graph/noise/noise.ts";
import type { CertificateDescription } from "./run-description.ts";
import type { YamlValue } from "./yaml-value.ts";

/** Defaults of certificates, the same as in `rgnn certify`. */
const USUAL = { edges: noNoise, features: noNoise, noiseSeed: 0, samples: 10_000, preSamples: 1000, alpha: 0.05 };

/** How each key is read. */
const READERS: Readonly<Record<keyof CertificateDescription, (value: YamlValue) => FlipNoise | number>> = {
  edges: noiseOf,
  features: noiseOf,
  noiseSeed: (value) => numberOf(value, "a whole number from 0", (n) => Number.isSafeInteger(n) && n >= 0),
  samples: (value) => numberOf(value, "a whole number from 1", (n) => Number.isSafeInteger(n) && n >= 1),
  preSamples: (value) => numberOf(value, "a whole number from 1", (n) => Number.isSafeInteger(n) && n >= 1),
  alpha: (value) => numberOf(value, "between 0 and 1", (n) => n > 0 && n < 1),
};

/** The keys of a certificate. */
export const CERTIFICATE_KEYS = Object.keys(READERS);

/** A certificate that a study file asks for: a map with the noise on edges or features, samples and confidence. */
export function certificateOf(value: YamlValue): CertificateDescription {
  const wish: Record<string, FlipNoise | number> = { ...USUAL };
  for (const [key, given] of value.entries()) {
    const read = READERS[key as keyof CertificateDescription];
    wish[key] = read ? read(given) : given.fail(`is no key of certificates; known are ${CERTIFICATE_KEYS.join(", ")}`);
  }
  const certificate = wish as unknown as CertificateDescription;
  try {
    checkNoise(certificate);
  } catch (error) {
    if (error instanceof UserError) return value.fail(`is wrong: ${error.message}`);
    throw error;
  }
  return certificate;
}

function noiseOf(value: YamlValue): FlipNoise {
  const noise: Record<string, number> = { ...noNoise };
  for (const [key, given] of value.entries()) {
    if (!(key in noNoise)) given.fail("is no kind of noise; known are add, delete");
    noise[key] = numberOf(given, "a probability below 1", (p) => p >= 0 && p < 1);
  }
  return noise as unknown as FlipNoise;
}

function numberOf(value: YamlValue, what: string, isValid: (number: number) => boolean): number {
  const { json } = value;
  return typeof json === "number" && isValid(json) ? json : value.fail(`must be ${what}, got ${value.shown}`);
}
