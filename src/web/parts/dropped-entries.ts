/** The files that were dropped, and all files in dropped folders, named by their paths. */
export async function filesOf({ items, files }: DataTransfer): Promise<File[]> {
  const entries = Array.from(items, (item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
  if (!entries.some((entry) => entry.isDirectory)) return [...files];
  const inside = await Promise.all(entries.map((entry) => filesBelow(entry)));
  return inside.flat();
}

async function filesBelow(entry: FileSystemEntry): Promise<File[]> {
  if (entry.isFile) return [await fileOf(entry as FileSystemFileEntry)];
  const found: File[] = [];
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  for (;;) {
    const entries = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (entries.length === 0) return found; // each call returns up to a hundred entries; none means the end
    for (const each of entries) found.push(...(await filesBelow(each)));
  }
}

/** The file, named by its path from the dropped folder on. */
async function fileOf(entry: FileSystemFileEntry): Promise<File> {
  const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject));
  return new File([file], entry.fullPath.replace(/^\//, ""));
}
