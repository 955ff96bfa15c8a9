import { ByteWriter, parquetWriteBuffer } from "hyparquet-writer";
import { writePageHeader } from "hyparquet-writer/src/datapage.js";
import { writeRleBitPackedHybrid } from "hyparquet-writer/src/encoding.js";
import { writeMetadata } from "hyparquet-writer/src/metadata.js";
import { snappyCompress } from "hyparquet-writer/src/snappy.js";

type Options = Parameters<typeof parquetWriteBuffer>[0];
type Codec = "SNAPPY" | "UNCOMPRESSED";

/** A parquet file of columns, by default packed by Snappy. Its pages are of version 2. */
export function parquetOf(columnData: Options["columnData"], options: Omit<Options, "columnData"> = {}): Uint8Array {
  return new Uint8Array(parquetWriteBuffer({ columnData, ...options }));
}

const MAGIC = 0x31524150;

/** One column of 64-bit integers, laid out as pandas does it: a dictionary, and numbers in it in a page of version 1. */
export function parquetV1(name: string, values: readonly (bigint | null)[], codec: Codec): Uint8Array {
  const writer = new ByteWriter();
  writer.appendUint32(MAGIC);
  const known = values.filter((value) => value !== null);
  const dictionary = [...new Set(known)];
  writePage(writer, codec, "DICTIONARY_PAGE", dictionary.length, (page) => {
    for (const value of dictionary) page.appendInt64(value);
  });
  const dataOffset = writer.offset;
  writePage(writer, codec, "DATA_PAGE", values.length, (page) => {
    const levels = new ByteWriter();
    const defined = values.map((value) => (value === null ? 0 : 1));
    writeRleBitPackedHybrid(levels, defined, 1);
    page.appendUint32(levels.offset);
    page.appendBytes(levels.getBytes());
    const width = Math.ceil(Math.log2(Math.max(2, dictionary.length)));
    page.appendUint8(width);
    const numbers = known.map((value) => dictionary.indexOf(value));
    writeRleBitPackedHybrid(page, numbers, width);
  });
  const size = BigInt(writer.offset - 4);
  const numRows = BigInt(values.length);
  writeMetadata(writer, {
    version: 2,
    schema: [
      { name: "schema", num_children: 1, repetition_type: "REQUIRED" },
      { name, type: "INT64", repetition_type: "OPTIONAL" },
    ],
    num_rows: numRows,
    row_groups: [
      {
        columns: [
          {
            file_offset: 0n,
            meta_data: {
              type: "INT64",
              encodings: ["PLAIN", "RLE", "RLE_DICTIONARY"],
              path_in_schema: [name],
              codec,
              num_values: numRows,
              total_uncompressed_size: size,
              total_compressed_size: size,
              data_page_offset: BigInt(dataOffset),
              dictionary_page_offset: 4n,
            },
          },
        ],
        total_byte_size: size,
        num_rows: numRows,
      },
    ],
    metadata_length: 0,
  });
  writer.appendUint32(MAGIC);
  return writer.getBytes().slice();
}

function writePage(
  writer: ByteWriter,
  codec: Codec,
  type: "DICTIONARY_PAGE" | "DATA_PAGE",
  num_values: number,
  write: (page: ByteWriter) => void,
): void {
  const page = new ByteWriter();
  write(page);
  const packed = codec === "SNAPPY" ? snappyCompress(page.getBytes()) : page.getBytes();
  writePageHeader(writer, {
    type,
    uncompressed_page_size: page.offset,
    compressed_page_size: packed.length,
    ...(type === "DICTIONARY_PAGE"
      ? { dictionary_page_header: { num_values, encoding: "PLAIN" } }
      : {
          data_page_header: {
            num_values,
            encoding: "RLE_DICTIONARY",
            definition_level_encoding: "RLE",
            repetition_level_encoding: "RLE",
          },
        }),
  });
  writer.appendBytes(packed);
}
