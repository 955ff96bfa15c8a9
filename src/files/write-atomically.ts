import { access, constants, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { check, UserError } from "../core/errors.ts";
import { makeFolder } from "./make-folder.ts";

/** Writes beside `path` under another name, then renames: whoever looks sees the whole file or none (rule D1). */
export async function writeAtomically(path: string, content: Uint8Array | string): Promise<void> {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    await makeFolder(dirname(path));
    await writeFile(temporary, content, { flush: true });
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {}); // the reason that counts is the first one
    throw notWritable(path, error);
  }
}

/** Throws unless a file can be made at `path`: for long work that writes its result at the end. Makes its folder. */
export async function checkWritable(path: string): Promise<void> {
  const folder = dirname(path);
  try {
    await makeFolder(folder);
    await access(folder, constants.W_OK);
  } catch (error) {
    throw notWritable(path, error);
  }
  const here = await stat(path).catch(() => null);
  check(!here?.isDirectory(), () => `${path}: is a folder; name a file in it`);
}

function notWritable(path: string, error: unknown): UserError {
  return new UserError(`${path}: cannot be written (${(error as NodeJS.ErrnoException).code}); choose another place`);
}
