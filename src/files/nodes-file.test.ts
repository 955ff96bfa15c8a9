import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { bytesSource } from "../data/formats/byte-source.ts";
import { openParquet } from "../data/formats/parquet.ts";
import { type NodeRow, writeNodes } from "./nodes-file.ts";

const rows: NodeRow[] = [
  { node: 7, label: 2, prediction: 1, confidence: 0.5, margin: -0.25 },
  { node: 'a "b", c', label: null, prediction: 0, confidence: 1, margin: null },
];

test("nodes are written as csv, with quotes where a name needs them", async () => {
  const file = join(temporaryFolder(), "nodes.csv");
  await writeNodes(file, rows);
  expect(readFileSync(file, "utf8")).toBe(
    'node,label,prediction,confidence,margin\n7,2,1,0.5,-0.25\n"a ""b"", c",,0,1,\n',
  );
});

test("as parquet, where names are text and what is unknown is missing", async () => {
  const file = join(temporaryFolder(), "nodes.parquet");
  await writeNodes(file, rows);
  const table = await openParquet(bytesSource(readFileSync(file), file));
  expect([table.numRows, table.names]).toEqual([2, ["node", "label", "prediction", "confidence", "margin"]]);
  expect(await table.column(0)).toMatchObject({ values: ["7", 'a "b", c'], missing: [] });
  expect(await table.column(1)).toMatchObject({ values: Float64Array.of(2, Number.NaN), missing: [1] });
  expect(await table.column(2)).toMatchObject({ values: Float64Array.of(1, 0), missing: [] });
  expect(await table.column(4)).toMatchObject({ values: Float64Array.of(-0.25, Number.NaN), missing: [1] });
  await writeNodes(file, [rows[0]]);
  const numbered = await openParquet(bytesSource(readFileSync(file), file));
  expect(await numbered.column(0)).toMatchObject({ values: Float64Array.of(7) });
});

test("or as a JSON list, and in no other format", async () => {
  const file = join(temporaryFolder(), "nodes.json");
  await writeNodes(file, rows);
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual(rows);
  await expect(writeNodes("nodes.txt", rows)).rejects.toThrow(
    "--out must end in .csv, .json or .parquet, got nodes.txt",
  );
});
