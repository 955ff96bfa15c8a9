import { check, DataError } from "../../core/errors.ts";
import type { StoredTensor } from "./safetensors.ts";

/** The model of ours that a stack of these layers becomes. */
export type PygKind = "gcn" | "gat" | "sgc";

type StateDict = ReadonlyMap<string, StoredTensor>;

/** A module of a PyTorch Geometric model: its own tensors, by the last part of their names. */
export interface PygModule {
  readonly prefix: string;
  readonly kind: PygKind | "norm";
  readonly leaves: StateDict;
}

/** Layers in the order in which they are applied. */
export interface PygLayers {
  readonly convs: readonly PygModule[];
  readonly norms: readonly PygModule[];
}

/** Tensors by which modules are recognised; the first match counts. Older `GATConv`s repeat `lin_src` as `lin_dst`. */
const signatures: readonly { kind: PygModule["kind"]; required: readonly string[]; optional: readonly string[] }[] = [
  {
    kind: "norm",
    required: ["weight", "bias", "running_mean", "running_var"],
    optional: ["num_batches_tracked"],
  },
  { kind: "gat", required: ["lin.weight", "att_src", "att_dst"], optional: ["bias"] },
  { kind: "gat", required: ["lin_src.weight", "att_src", "att_dst"], optional: ["bias", "lin_dst.weight"] },
  { kind: "sgc", required: ["lin.weight", "lin.bias"], optional: [] },
  { kind: "gcn", required: ["lin.weight"], optional: ["bias"] },
];

/** Longest first, so that `lin.bias` is one leaf and not the bias of a module `lin`. */
const leafNames = [...new Set(signatures.flatMap(({ required, optional }) => [...required, ...optional]))].sort(
  (a, b) => b.length - a.length,
);

/** `convs.2` before `convs.10`. */
const natural = new Intl.Collator("en", { numeric: true });

/** Finds the layers of a state dict, whatever their prefixes; they are applied in the natural order of the prefixes. */
export function findLayers(tensors: StateDict, file: string): PygLayers {
  const modules = [...groupByModule(tensors, file)].map(([prefix, leaves]): PygModule => {
    return { prefix, kind: kindOf(prefix, leaves, file), leaves };
  });
  modules.sort((a, b) => natural.compare(a.prefix, b.prefix));
  const norms = modules.filter(({ kind }) => kind === "norm");
  const convs = modules.filter(({ kind }) => kind !== "norm");
  check(convs.length > 0, () => `${file}: has no GCNConv, GATConv or SGConv`, DataError);
  const mixed = convs.find(({ kind }) => kind !== convs[0].kind);
  check(
    mixed === undefined,
    () => `${file}: layers must be of one kind, got ${describe(convs[0])} and ${describe(mixed!)}`,
    DataError,
  );
  return { convs, norms };
}

function groupByModule(tensors: StateDict, file: string): Map<string, Map<string, StoredTensor>> {
  const modules = new Map<string, Map<string, StoredTensor>>();
  for (const [name, tensor] of tensors) {
    const leaf = leafNames.find((candidate) => name === candidate || name.endsWith(`.${candidate}`));
    check(
      leaf !== undefined,
      () => `${file}: tensor "${name}" belongs to no GCNConv, GATConv with one head, SGConv or BatchNorm`,
      DataError,
    );
    const prefix = name.slice(0, Math.max(0, name.length - leaf.length - 1));
    if (!modules.has(prefix)) modules.set(prefix, new Map());
    modules.get(prefix)!.set(leaf, tensor);
  }
  return modules;
}

function kindOf(prefix: string, leaves: StateDict, file: string): PygModule["kind"] {
  const signature = signatures.find(
    ({ required, optional }) =>
      required.every((leaf) => leaves.has(leaf)) &&
      [...leaves.keys()].every((leaf) => required.includes(leaf) || optional.includes(leaf)),
  );
  check(
    signature !== undefined,
    () => `${file}: module "${prefix}" (${[...leaves.keys()].join(", ")}) is no GCNConv, GATConv, SGConv or BatchNorm`,
    DataError,
  );
  return signature.kind;
}

function describe({ prefix, kind }: PygModule): string {
  return `${kind} layer "${prefix}"`;
}
