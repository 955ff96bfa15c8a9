import { access, constants, lstat, open, readlink, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { check, UserError } from "../core/errors.ts";
import { makeFolder } from "./make-folder.ts";

/**
 * Writes to a temporary file beside `path`, then renames it: readers see the whole file or none (rule D1). A symbolic
 * link stays, and the file that it points to is replaced. Devices and pipes are written to, never replaced.
 */
export async function writeAtomically(path: string, content: Uint8Array | string): Promise<void> {
  try {
    await makeFolder(dirname(path));
    const here = await stat(path).catch(() => null); // follows links
    if (here === null || here.isFile()) await replaceFile(await targetOf(path), content);
    else await writeInto(path, content);
  } catch (error) {
    throw notWritable(path, error);
  }
}

/** Throws unless a file can be written at `path`. Call it before long work. Makes its folder. */
export async function checkWritable(path: string): Promise<void> {
  try {
    await makeFolder(dirname(path));
    const here = await stat(path).catch(() => null);
    check(!here?.isDirectory(), () => `${path}: is a folder; name a file in it`);
    const special = here !== null && !here.isFile();
    await access(special ? path : dirname(await targetOf(path)), constants.W_OK);
  } catch (error) {
    throw error instanceof UserError ? error : notWritable(path, error);
  }
}

/** Replaces a regular file, or creates it; passes on the errors of the system. */
export async function replaceFile(path: string, content: Uint8Array | string): Promise<void> {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    await writeFile(temporary, content, { flush: true });
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {}); // report the first error
    throw error;
  }
}

/** Writes to an existing device or pipe, without creating or truncating anything. */
async function writeInto(path: string, content: Uint8Array | string): Promise<void> {
  const file = await open(path, constants.O_WRONLY);
  try {
    await file.writeFile(content);
  } finally {
    await file.close();
  }
}

/** Where a chain of links ends, even if there is no file yet; the path itself if it is no link. */
async function targetOf(path: string): Promise<string> {
  const here = await lstat(path).catch(() => null);
  if (!here?.isSymbolicLink()) return path;
  return realpath(path).catch(async () => resolve(dirname(path), await readlink(path)));
}

function notWritable(path: string, error: unknown): UserError {
  return new UserError(`${path}: cannot be written (${(error as NodeJS.ErrnoException).code}); choose another place`);
}
