import { UserError } from "../../core/errors.ts";
import type { Backend } from "../backend.ts";

/** Stands for a kernel of push, which goes from node to node and has no use for a GPU. */
function refuse({ name }: Backend): () => never {
  return () => {
    throw new UserError(
      `gdc with method push cannot be differentiated by edges on ${name}; use --device cpu, or --set method=exact`,
    );
  };
}

export const localPageRank: (parts: Backend) => Backend["localPageRank"] = refuse;
export const sandwich: (parts: Backend) => Backend["sandwich"] = refuse;
