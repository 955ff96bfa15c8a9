import { check, DataError } from "../../core/errors.ts";
import { toCounts, toFloat32, toInt32, toLabels } from "../../data/formats/npy-cast.ts";
import { decodeNumbers } from "../../data/formats/npy-dtype.ts";
import { Npz } from "../../data/formats/npz.ts";
import type { FileSet } from "../../data/readers/file-set.ts";
import { lastPart } from "../../data/readers/file-stem.ts";
import { checkCount, readSplit } from "../../data/readers/ogb.ts";
import { checkNodes } from "./check-nodes.ts";
import type { EdgeChunk, GraphStream } from "./graph-stream.ts";
import { NpyStream } from "./npy-stream.ts";
import { ZipStream } from "./zip-member.ts";

const ITEMS = 2 ** 17;

/**
 * The binary layout of the Open Graph Benchmark: `raw/data.npz` with `edge_index` (2, edges) and `node_feat` (nodes, features), and
 * `raw/node-label.npz`.
 */
export async function ogbBinaryStream(files: FileSet): Promise<GraphStream> {
  const archive = new ZipStream(files.open("raw/data.npz"));
  const labelArchive = new ZipStream(files.open("raw/node-label.npz"));
  const close = () => {
    archive.source.close();
    labelArchive.source.close();
  };
  try {
    const index = await NpyStream.open(archive, "edge_index");
    const feat = await NpyStream.open(archive, "node_feat");
    const label = await NpyStream.open(labelArchive, "node_label");
    checkShapes(index, feat, label);
    const numNodes = feat.shape[0];
    const numFeatures = feat.shape[1];
    const numEdges = index.shape[1];
    checkCounts(new Npz(archive.zip), numNodes, numEdges);
    const item = (array: NpyStream, bytes: Uint8Array) => ({
      dtype: array.dtype.code,
      shape: [bytes.length / array.dtype.itemBytes],
      data: decodeNumbers(bytes, 0, bytes.length / array.dtype.itemBytes, array.dtype),
    });
    return {
      name: lastPart(files.name),
      where: files.name,
      numNodes,
      numFeatures,
      numEdges,
      async *features(begin) {
        const rows = Math.max(1, Math.floor(ITEMS / numFeatures));
        for await (const bytes of feat.items(begin * numFeatures, numNodes * numFeatures, rows * numFeatures)) {
          const asStored = feat.dtype.code === "f2" && !feat.dtype.bigEndian;
          yield asStored ? new Uint16Array(bytes.buffer) : toFloat32(item(feat, bytes), feat.where);
        }
      },
      async *edges(begin) {
        if (begin === 0) await archive.verifyStored("edge_index.npy"); // reading two places at once skips the check
        yield* zipped(index, begin, numNodes, (bytes) => toInt32(item(index, bytes), index.where));
      },
      async *labels() {
        for await (const bytes of label.items(0, numNodes, ITEMS)) yield toLabels(item(label, bytes), label.where);
      },
      split: () => readSplit(files, numNodes),
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}

/** Reads both rows of `edge_index`, sources and targets, at the same time. */
async function* zipped(
  index: NpyStream,
  begin: number,
  numNodes: number,
  decode: (bytes: Uint8Array) => Int32Array,
): AsyncGenerator<EdgeChunk> {
  const numEdges = index.shape[1];
  const targets = index.items(numEdges + begin, 2 * numEdges, ITEMS);
  let first = begin;
  for await (const bytes of index.items(begin, numEdges, ITEMS)) {
    const sources = decode(bytes);
    const others = decode((await targets.next()).value!);
    for (const nodes of [sources, others]) checkNodes(nodes, numNodes, first, index.where);
    first += sources.length;
    yield { sources, targets: others };
  }
  await targets.next(); // reads to the end, where a deflated member is checked
}

function checkShapes(index: NpyStream, feat: NpyStream, label: NpyStream): void {
  for (const { fortranOrder, where } of [index, feat]) {
    check(!fortranOrder, () => `${where}: must be stored in C order to be read piece by piece`, DataError);
  }
  const shown = ({ shape }: NpyStream) => `(${shape.join(", ")})`;
  check(
    index.shape.length === 2 && index.shape[0] === 2,
    () => `${index.where}: must be (2, edges), got ${shown(index)}`,
    DataError,
  );
  check(feat.shape.length === 2, () => `${feat.where}: must be (nodes, features), got ${shown(feat)}`, DataError);
  const labels = label.shape.reduce((product, size) => product * size, 1);
  check(labels === feat.shape[0], () => `${label.where}: ${labels} labels for ${feat.shape[0]} nodes`, DataError);
}

function checkCounts(npz: Npz, numNodes: number, numEdges: number): void {
  const counts = { num_nodes_list: numNodes, num_edges_list: numEdges };
  for (const [member, count] of Object.entries(counts)) {
    if (!npz.has(member)) continue;
    const data = toCounts(npz.array(member), npz.where(member));
    checkCount({ data: Float64Array.from(data) }, npz.where(member), count, "of them");
  }
}
