import { useEffect } from "preact/hooks";
import { Trouble } from "../parts/notice.tsx";
import { JobProgress } from "../parts/progress.tsx";
import { goTo } from "../route.ts";
import type { Workbench } from "../workbench.ts";

/** Graphs to choose from, and the place to bring one's own. */
export function GraphsView({ bench }: { bench: Workbench }) {
  useEffect(() => {
    document.title = "Graphs · rgnn";
  }, []);
  const isBusy = bench.job.value !== null;
  const open = async (opening: Promise<boolean>) => {
    if (await opening) goTo({ view: "attack", selected: null });
  };
  const choose = (event: Event) => {
    const input = event.currentTarget as HTMLInputElement;
    if (input.files && input.files.length > 0) open(bench.openFiles([...input.files]));
    input.value = "";
  };
  return (
    <main class="column" id="main">
      <h1>Your own graph</h1>
      <Trouble bench={bench} />
      {bench.job.value && <JobProgress job={bench.job.value} />}
      <label class="drop">
        <input type="file" multiple class="hidden" disabled={isBusy} onChange={choose} />
        <strong>Drop a file or a folder anywhere, or choose files</strong>
        <span>
          An edge list (.csv, .tsv, .txt, .parquet) with <code>features</code> and <code>labels</code> beside it, .npz,
          .mtx, .graphml, node-link .json, .pt of PyTorch Geometric, Planetoid or OGB files
        </span>
      </label>
      <h2>Graphs that are here</h2>
      <ul class="graphs">
        {(bench.offer.value?.graphs ?? []).map(({ name, summary }) => (
          <li key={name}>
            <button type="button" disabled={isBusy} onClick={() => open(bench.openGraph(name))}>
              <strong>{name}</strong>
              <span>{summary}</span>
              {bench.graph.value?.name === name && <em>open now</em>}
            </button>
          </li>
        ))}
      </ul>
    </main>
  );
}
