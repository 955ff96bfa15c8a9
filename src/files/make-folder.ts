import { mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";

/** Makes a folder and its missing parents. (Node's own recursion never ends in places such as /proc.) */
export async function makeFolder(folder: string): Promise<void> {
  if (await isFolder(folder)) return;
  if (dirname(folder) !== folder) await makeFolder(dirname(folder));
  try {
    await mkdir(folder);
  } catch (error) {
    if (!(await isFolder(folder))) throw error; // another process may have made it meanwhile
  }
}

async function isFolder(path: string): Promise<boolean> {
  const here = await stat(path).catch(() => null);
  return here?.isDirectory() ?? false;
}
