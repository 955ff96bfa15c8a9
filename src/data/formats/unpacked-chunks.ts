import { check, DataError } from "../../core/errors.ts";
import type { ByteSource } from "./byte-source.ts";
import { MAX_EXPANSION, unpackedLimit } from "./unpacked-limit.ts";

/** Bytes that are taken from a source at once. */
const CHUNK = 1 << 20;

/** The content of a source piece by piece, unpacked where its name ends in .gz. */
export async function* unpackedChunks(source: ByteSource): AsyncGenerator<Uint8Array> {
  const { name } = source;
  const limit = unpackedLimit(source.size);
  let unpacked = 0;
  try {
    for await (const chunk of name.endsWith(".gz") ? gunzip(source) : chunksOf(source)) {
      unpacked += chunk.length;
      check(
        unpacked <= limit,
        () => `${name}: unpacks to more than ${MAX_EXPANSION} times its size; refused`,
        DataError,
      );
      yield chunk;
    }
  } catch (error) {
    if (error instanceof DataError) throw error;
    const { code, message } = error as Error & { code?: string };
    throw new DataError(`${name}: cannot be read (${code ?? message}); is it whole?`);
  }
}

function* chunksOf(source: ByteSource): Generator<Uint8Array<ArrayBuffer>> {
  for (let at = 0; at < source.size; at += CHUNK) {
    yield source.read(at, Math.min(CHUNK, source.size - at)) as Uint8Array<ArrayBuffer>;
  }
}

/** Unpacks with `DecompressionStream`, which browsers and Node share. It refuses a source of several gzip members. */
async function* gunzip(source: ByteSource): AsyncGenerator<Uint8Array> {
  const chunks = chunksOf(source);
  const packed = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      const { done, value } = chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
  const reader = packed.pipeThrough(new DecompressionStream("gzip")).getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    await reader.cancel().catch(() => {}); // if reading ended early, the rest is not wanted
  }
}
