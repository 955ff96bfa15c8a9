import { basename } from "node:path";

/** The name of a file without its folder and its extensions: `data/cora_ml.npz` is `cora_ml`. */
export function fileStem(path: string): string {
  return basename(path).replace(/(\.(npz|zip|csv|gz))+$/, "");
}
