import { createHash } from "node:crypto";
import { createReadStream, existsSync, statSync } from "node:fs";
import { mkdir, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { pipeline } from "node:stream/promises";
import { check, UserError } from "../../core/errors.ts";
import { type Progress, silent } from "../../core/progress.ts";
import type { DataFile } from "../../data/catalogue/catalogue-files.ts";

/** How long a server may stay silent before the next source is tried. */
const SILENCE_MS = 30_000;

/**
 * Downloads a file to `path`. If the connection is cut, the bytes so far stay in `path.part` and the next download
 * continues from there. The sources are tried in turn. The file gets its name only once its checksum is right.
 */
export async function download(file: DataFile, path: string, progress: Progress = silent): Promise<void> {
  if (existsSync(path) && (await isWhole(file, path))) return;
  const part = `${path}.part`;
  const problems: string[] = [];
  for (const address of file.addresses) {
    try {
      await mkdir(dirname(path), { recursive: true });
      await fetchInto(address, part, file, progress);
      await checkWhole(file, part, address);
      await rename(part, path);
      return;
    } catch (error) {
      problems.push(`${address}: ${reason(error)}`);
    }
  }
  throw new UserError(
    `${file.path} could not be downloaded; ${problems.join("; ")}; place it at ${path} by hand, or try again`,
  );
}

/** Downloads into `part`: appends to it if the server continues at its last byte, and starts over otherwise. */
async function fetchInto(address: string, part: string, file: DataFile, progress: Progress): Promise<void> {
  let have = existsSync(part) ? statSync(part).size : 0;
  if (file.bytes !== undefined && have === file.bytes) return;
  if (file.bytes !== undefined && have > file.bytes) have = 0;
  const silence = new AbortController();
  let timer = setTimeout(() => silence.abort(), SILENCE_MS);
  try {
    const response = await fetch(address, { headers: requestHeaders(have), signal: silence.signal });
    if (response.status === 416) await rm(part, { force: true });
    check(response.ok && response.body !== null, () => `the server answered ${response.status}`);
    if (response.status !== 206 || !response.headers.get("content-range")?.startsWith(`bytes ${have}-`)) have = 0;
    const total = file.bytes ?? have + Number(response.headers.get("content-length") ?? 0);
    const out = await open(part, have ? "a" : "w");
    try {
      for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
        clearTimeout(timer);
        timer = setTimeout(() => silence.abort(), SILENCE_MS);
        await out.writeFile(chunk); // waits, so that all that arrived is kept when the connection is cut
        have += chunk.length;
        progress.update(have, Math.max(total, have), file.path);
      }
    } finally {
      await out.close();
    }
    check(have >= total, () => `the connection ended after ${have} of ${total} bytes`);
  } finally {
    clearTimeout(timer);
  }
}

/** Asks for uncompressed bytes, so that lengths and offsets are those of the file. */
function requestHeaders(have: number): Record<string, string> {
  return { "accept-encoding": "identity", ...(have > 0 && { range: `bytes=${have}-` }) };
}

/** Deletes a file with a wrong checksum and throws: continuing its download would never make it right. */
async function checkWhole(file: DataFile, part: string, address: string): Promise<void> {
  const { size } = statSync(part);
  const sum = await sha256(part);
  if (file.sha256 === undefined || sum === file.sha256) return;
  await rm(part, { force: true });
  throw new UserError(
    `${size} bytes with sha256 ${sum} arrived from ${new URL(address).host}, expected ${file.sha256}`,
  );
}

async function isWhole(file: DataFile, path: string): Promise<boolean> {
  return file.sha256 === undefined || (await sha256(path)) === file.sha256;
}

/** Checksum of a file of any size. */
export async function sha256(path: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path, { highWaterMark: 1 << 20 }), hash);
  return hash.digest("hex");
}

function reason(error: unknown): string {
  const { name, message, cause } = error as Error;
  if (name === "AbortError") return `no answer for ${SILENCE_MS / 1000} s`;
  return cause instanceof Error && cause.message ? `${message} (${cause.message})` : message;
}
