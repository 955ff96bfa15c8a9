import { DataError } from "../../core/errors.ts";
import { printable } from "./printable.ts";

/** Parses a JSON file; if it is not JSON, throws an error of one line. */
export function parseJson(bytes: Uint8Array, where: string): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)); // a byte order mark is skipped
  } catch (error) {
    throw new DataError(`${where}: is not JSON (${printable((error as Error).message)})`);
  }
}
