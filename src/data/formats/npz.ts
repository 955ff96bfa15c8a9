import { zipSync } from "fflate";
import { check, DataError } from "../../core/errors.ts";
import { type ByteSource, bytesSource } from "./byte-source.ts";
import { formatNpy, formatNpyTexts, type NpyArray, parseNpy } from "./npy.ts";
import type { NpyData } from "./npy-dtype.ts";
import { parseNpyHeader } from "./npy-header.ts";
import { parsePickle } from "./pickle.ts";
import { isObject, type PickleValue } from "./pickle-globals.ts";
import { Zip } from "./zip.ts";

/** The arrays of an .npz file, read on demand: a member that is not asked for, such as a pickled one, is never read. */
export class Npz {
  readonly name: string;
  readonly names: readonly string[];
  private readonly zip: Zip;

  /** @internal */
  constructor(zip: Zip) {
    this.zip = zip;
    this.name = zip.name;
    this.names = [...zip.members.keys()].filter((name) => name.endsWith(".npy")).map((name) => name.slice(0, -4));
  }

  has(name: string): boolean {
    return this.zip.has(`${name}.npy`);
  }

  array(name: string): NpyArray {
    return parseNpy(this.zip.read(`${name}.npy`), this.where(name));
  }

  /** True for a member of pickled Python objects, such as a scipy matrix that `np.savez` was given. */
  holdsObjects(name: string): boolean {
    return /^\|?O/.test(parseNpyHeader(this.zip.read(`${name}.npy`), this.where(name)).descr);
  }

  /** The objects of such a member. The unpickler runs no code and knows few kinds of objects. @internal */
  objects(name: string): PickleValue[] {
    const bytes = this.zip.read(`${name}.npy`);
    const value = parsePickle(bytes.subarray(parseNpyHeader(bytes, this.where(name)).dataOffset), this.where(name));
    const objects = isObject(value) ? value.objects : undefined;
    check(objects !== undefined, () => `${this.where(name)}: must hold an array of objects`, DataError);
    return objects;
  }

  /** What error messages call a member. */
  where(name: string): string {
    return `${this.name}: ${name}`;
  }
}

/** The arrays of an .npz file, or of a .zip that holds one .npz, as several datasets are published. */
export function npzFrom(source: ByteSource): Npz {
  const zip = new Zip(source);
  const inner = [...zip.members.keys()].filter((name) => name.endsWith(".npz"));
  if (inner.length === 0) return new Npz(zip);
  check(
    inner.length === 1,
    () => `${zip.name}: must hold one .npz, got ${inner.join(", ")}; unpack it and name one`,
    DataError,
  );
  return new Npz(new Zip(bytesSource(zip.read(inner[0]), `${zip.name}: ${inner[0]}`), zip));
}

/** What a member of an .npz file is made from. */
export type NpzContent =
  | { readonly data: NpyData; readonly shape?: readonly number[]; readonly boolean?: boolean }
  | { readonly texts: readonly string[]; readonly shape?: readonly number[] };

/** The bytes of an .npz file that NumPy reads. Deflated, unless `compress` is false. */
export function formatNpz(arrays: Readonly<Record<string, NpzContent>>, { compress = true } = {}): Uint8Array {
  const members: Record<string, Uint8Array> = {};
  for (const [name, content] of Object.entries(arrays)) members[`${name}.npy`] = formatMember(content);
  return zipSync(members, { level: compress ? 6 : 0, mtime: "1980-01-01T00:00:00" }); // the same bytes every time
}

function formatMember(content: NpzContent): Uint8Array {
  if ("texts" in content) return formatNpyTexts(content.texts, content.shape);
  return formatNpy(content.data, content.shape, content.boolean);
}
