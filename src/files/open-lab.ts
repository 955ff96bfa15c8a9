import { createWasm } from "../backend/wasm/wasm.ts";
import { openRealGpu } from "../backend/webgpu/real-gpu.ts";
import { catalogue } from "../data/catalogue/catalogue.ts";
import type { GraphLoader } from "../lab/graph-sources.ts";
import { Lab } from "../lab/lab.ts";
import { dataFolders, findDataset } from "./datasets/data-folders.ts";
import { loadGraph } from "./load.ts";

/** Options of {@link openLab}. */
export interface OpenLabOptions {
  /** Folder that is searched before `$RGNN_DATA` and the cache. */
  readonly dataDir?: string;
  /** Threads of the CPU. Default: all. */
  readonly threads?: number;
}

/**
 * A lab that offers the datasets on this machine and computes on the CPU, or for large graphs on a GPU if there is one.
 * The caller closes it.
 */
export async function openLab({ dataDir, threads }: OpenLabOptions = {}): Promise<Lab> {
  const backend = await createWasm(threads === undefined ? {} : { threads });
  const openGpu = async () => (await openRealGpu()).backend;
  return new Lab(backend, { device: "the server", loader: datasetsHere(dataDir), openGpu });
}

/** The known datasets that lie in a data folder. */
function datasetsHere(dataDir: string | undefined): GraphLoader {
  const folders = dataFolders(dataDir);
  const here = Object.values(catalogue).filter((entry) => entry.files.length > 0 && findDataset(entry, folders));
  return {
    list: () => here.map(({ name, about }) => ({ name, summary: about })),
    load: (name) => loadGraph(name, dataDir === undefined ? {} : { dataDir }),
  };
}
