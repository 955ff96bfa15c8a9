import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { check } from "../../core/errors.ts";

/** Shorter tokens could be guessed. */
const SHORTEST = 16;

/** The token that a server requires: `chosen`, so that it stays the same after a restart, or a random one. */
export function newToken(chosen: string | undefined): string {
  if (chosen === undefined) return randomBytes(32).toString("base64url");
  const isFit = chosen.length >= SHORTEST && /^[A-Za-z0-9_-]+$/.test(chosen);
  check(isFit, () => `RGNN_TOKEN must be ${SHORTEST} or more letters, digits, - and _`);
  return chosen;
}

/** Whether two texts are equal; the time it takes does not reveal where they differ. */
export function isSameToken(given: string, token: string): boolean {
  const hash = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(hash(given), hash(token));
}
