import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createInflateRaw } from "node:zlib";
import { check, DataError } from "../../core/errors.ts";
import { type Progress, silent } from "../../core/progress.ts";
import { crc32 } from "../../data/formats/crc32.ts";
import { Zip } from "../../data/formats/zip.ts";
import type { ZipMember } from "../../data/formats/zip-directory.ts";
import { fileSource } from "../file-source.ts";

/**
 * Unpacks a zip archive of any size into `folder`. Members are written to a temporary folder, whose content is then
 * moved into place, so that a killed run leaves no incomplete dataset behind.
 */
export async function unpack(archive: string, folder: string, progress: Progress = silent): Promise<void> {
  const source = fileSource(archive);
  await mkdir(folder, { recursive: true });
  const temporary = await mkdtemp(join(folder, ".unpacking-"));
  try {
    const zip = new Zip(source);
    const files = [...zip.members.values()].filter(({ name }) => !name.endsWith("/"));
    for (const [done, member] of files.entries()) {
      progress.update(done, files.length, `unpacking ${member.name}`);
      await unpackMember(zip, archive, member, temporary);
    }
    for (const name of await readdir(temporary)) {
      await rm(join(folder, name), { recursive: true, force: true });
      await rename(join(temporary, name), join(folder, name));
    }
  } finally {
    source.close();
    await rm(temporary, { recursive: true, force: true });
  }
}

async function unpackMember(zip: Zip, archive: string, member: ZipMember, folder: string): Promise<void> {
  const where = `${archive}: ${member.name}`;
  const inside = !/(^|[/\\])\.\.([/\\]|$)|^[/\\]|^[a-zA-Z]:/.test(member.name);
  check(inside, () => `${where}: name points outside the folder it is unpacked to; refused`, DataError);
  const path = join(folder, member.name);
  await mkdir(dirname(path), { recursive: true });
  const start = zip.dataOffset(member, where);
  let size = 0;
  let crc = 0;
  const counted = async function* (chunks: AsyncIterable<Uint8Array>) {
    for await (const chunk of chunks) {
      size += chunk.length;
      check(
        size <= member.size,
        () => `${where}: unpacks to more than the ${member.size} bytes of its header`,
        DataError,
      );
      crc = crc32(chunk, crc);
      yield chunk;
    }
  };
  const end = start + member.packedSize - 1;
  const packed = end < start ? Readable.from([]) : createReadStream(archive, { start, end, highWaterMark: 1 << 20 });
  const unpacked = member.method === 8 ? packed.compose(createInflateRaw()) : packed;
  await pipeline(unpacked, counted, createWriteStream(path)).catch((error: NodeJS.ErrnoException) => {
    throw error instanceof DataError ? error : new DataError(`${where}: cannot be unpacked (${error.code})`);
  });
  check(
    size === member.size && crc === member.crc,
    () => `${where}: checksum does not match; the archive is damaged`,
    DataError,
  );
}
