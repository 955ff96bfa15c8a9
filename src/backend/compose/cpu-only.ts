import { UserError } from "../../core/errors.ts";
import type { Backend } from "../backend.ts";

/** Throws in place of a kernel for push, which visits one node after the other and so is not made for GPUs. */
function refuse({ name }: Backend): () => never {
  return () => {
    throw new UserError(
      `gdc with method push cannot be differentiated by edges on ${name}; use --device cpu, or --set method=exact`,
    );
  };
}

export const localPageRank: (parts: Backend) => Backend["localPageRank"] = refuse;
export const sandwich: (parts: Backend) => Backend["sandwich"] = refuse;
