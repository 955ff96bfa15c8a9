import type { ByteSource } from "../formats/byte-source.ts";
import { isParquet, openParquet } from "../formats/parquet.ts";
import { type ListedEdges, readEdgeList } from "./edge-list.ts";
import { type FeatureFile, readFeatureText } from "./feature-file.ts";
import { type LabelFile, readLabelText } from "./label-file.ts";
import { edgesOfParquet, featuresOfParquet, labelsOfParquet } from "./parquet-tables.ts";

/** Reads the edges of a table: parquet if the name says so, else text. */
export async function readEdgeTable(source: ByteSource): Promise<ListedEdges> {
  return isParquet(source.name) ? edgesOfParquet(await openParquet(source)) : readEdgeList(source);
}

/** Reads the features of a table, parquet or text. */
export async function readFeatureTable(source: ByteSource): Promise<FeatureFile> {
  return isParquet(source.name) ? featuresOfParquet(await openParquet(source)) : readFeatureText(source);
}

/** Reads the labels of a table, parquet or text. */
export async function readLabelTable(source: ByteSource): Promise<LabelFile> {
  return isParquet(source.name) ? labelsOfParquet(await openParquet(source)) : readLabelText(source);
}
