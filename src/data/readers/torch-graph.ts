import { check, DataError } from "../../core/errors.ts";
import { type Csr, csrFromEntries, mergeDuplicates } from "../../graph/csr.ts";
import type { ByteSource } from "../formats/byte-source.ts";
import { checkEntriesInside, checkEntriesShape } from "../formats/entries-shape.ts";
import type { NpyArray } from "../formats/npy.ts";
import { toFloat32, toIds, toInt32 } from "../formats/npy-cast.ts";
import type { PickleValue } from "../formats/pickle-globals.ts";
import { readTorchFile } from "../formats/torch-file.ts";
import type { NodeId } from "../node-ids.ts";
import type { RawGraph } from "../raw-graph.ts";
import type { Split } from "../splits.ts";
import { denseMatrix } from "./dense-matrix.ts";
import { fileStem } from "./file-stem.ts";
import { labelsOfArray } from "./label-file.ts";
import { splitsOfMasks } from "./mask-splits.ts";
import { noFeatures } from "./no-features.ts";

/**
 * Reads a `Data` of PyTorch Geometric, or a dictionary with the same names, that was saved with `torch.save`:
 * `edge_index` and, where present, `x`, `y`, `edge_weight` (or `edge_attr`) and `train_mask`, `val_mask` and
 * `test_mask`.
 */
export function readTorchGraph(source: ByteSource): RawGraph {
  const where = source.name;
  const fields = graphFields(readTorchFile(source));
  check(fields !== undefined, () => `${where}: must hold one Data of PyTorch Geometric, or its dictionary`, DataError);
  const tensor = (name: string): NpyArray | undefined => {
    const value = fields.get(name);
    return typeof value === "object" && value !== null && "kind" in value ? value.array : undefined;
  };
  const x = tensor("x");
  const y = tensor("y");
  const features = x && denseMatrix(x, `${where}: x`);
  const edges = tensor("edge_index");
  check(edges !== undefined, () => `${where}: edge_index must be a tensor`, DataError);
  const numNodes = features?.numRows ?? y?.shape[0] ?? countNodes(fields, edges, where);
  const weights = tensor("edge_weight") ?? tensor("edge_attr");
  const single = weights === undefined || weights.data.length === edges.shape[1];
  return {
    name: fileStem(where),
    where,
    adjacency: adjacencyOf(
      edges,
      numNodes,
      single && weights ? toFloat32(weights, `${where}: edge_weight`) : null,
      where,
    ),
    features: features ?? noFeatures(numNodes),
    ...(y ? labelsOfArray(y, `${where}: y`) : { labels: new Int32Array(numNodes).fill(-1) }),
    ...splitsOf(tensor, numNodes, where),
    ...idsOf(tensor("node_ids"), where),
    ...(!single && { notes: [`${fileStem(where)}: edge_attr has several numbers per edge and is not used`] }),
  };
}

/** The attributes of the graph: those of a dictionary, of a `Data` or its storage, or of the first item of a list. */
function graphFields(value: PickleValue | undefined): Map<PickleValue, PickleValue> | undefined {
  if (value instanceof Map) return value.has("edge_index") ? value : undefined;
  if (Array.isArray(value)) return graphFields(value[0]);
  const fields = typeof value === "object" && value !== null && "kind" in value ? value.fields : undefined;
  if (fields === undefined) return undefined;
  return graphFields(fields) ?? graphFields(fields.get("_store")) ?? graphFields(fields.get("_mapping"));
}

function idsOf(ids: NpyArray | undefined, where: string): { ids?: NodeId[] } {
  return ids === undefined ? {} : { ids: toIds(ids, `${where}: node_ids`) };
}

function countNodes(fields: Map<PickleValue, PickleValue>, edges: NpyArray, where: string): number {
  const listed = fields.get("num_nodes");
  if (typeof listed === "number") return listed;
  return toInt32(edges, `${where}: edge_index`).reduce((largest, node) => Math.max(largest, node), -1) + 1;
}

function adjacencyOf(edges: NpyArray, numNodes: number, weights: Float32Array | null, where: string): Csr {
  const { shape } = edges;
  check(
    shape.length === 2 && shape[0] === 2,
    () => `${where}: edge_index must have shape (2, edges), got (${shape.join(", ")})`,
    DataError,
  );
  const ids = toInt32(edges, `${where}: edge_index`);
  const rows = ids.subarray(0, shape[1]);
  const cols = ids.subarray(shape[1]);
  checkEntriesShape(where, [numNodes, numNodes], shape[1] + numNodes);
  for (const nodes of [rows, cols]) checkEntriesInside(`${where}: edge_index`, nodes, numNodes, "node");
  return mergeDuplicates(csrFromEntries(numNodes, numNodes, rows, cols, weights));
}

/** Masks of one split, or of several in columns. */
function splitsOf(
  tensor: (name: string) => NpyArray | undefined,
  numNodes: number,
  where: string,
): { splits?: Record<string, Split> } {
  const [train, val, test] = [tensor("train_mask"), tensor("val_mask"), tensor("test_mask")];
  return train && val && test ? { splits: splitsOfMasks({ train, val, test }, numNodes, where) } : {};
}
