/** The last part of a path: `data/cora_ml.npz` is `cora_ml.npz`, `data/cora/` is `cora`. */
export function lastPart(path: string): string {
  return /([^/\\]*)[/\\]*$/.exec(path)![1];
}

/** The last part of a path without the endings of graph files: `data/cora_ml.npz` is `cora_ml`. */
export function fileStem(path: string): string {
  return lastPart(path).replace(
    /(\.(npz|npy|zip|csv|tsv|txt|edgelist|edges|gz|mtx|graphml|json|pt|pth|parquet))+$/,
    "",
  );
}
