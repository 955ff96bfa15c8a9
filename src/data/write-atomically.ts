import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { UserError } from "../core/errors.ts";

/** Writes beside `path` under another name, then renames: whoever looks sees the whole file or none (rule D1). */
export async function writeAtomically(path: string, content: Uint8Array | string): Promise<void> {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(temporary, content, { flush: true });
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {}); // the reason that counts is the first one
    throw new UserError(`${path}: cannot be written (${(error as NodeJS.ErrnoException).code}); choose another place`);
  }
}
