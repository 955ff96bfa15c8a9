import { useSignal } from "@preact/signals";
import type { AddedStudy } from "../../serve/protocol.ts";
import { goTo } from "../route.ts";
import { postJson, postStudy } from "./api.ts";

const EXAMPLE = `name: first-study
datasets: synthetic-citation
models: [gcn, sgc]
attacks:
  - { name: prbcd, blockSize: 50000, epochs: 50 }
epsilons: [0.05, 0.1]
seeds: [0, 1, 2]
`;

/** A form for the text of a study file, which the server plans and starts. */
export function AddStudy() {
  const text = useSignal(EXAMPLE);
  const problem = useSignal<string | null>(null);
  const isBusy = useSignal(false);
  const add = async (event: SubmitEvent) => {
    event.preventDefault();
    isBusy.value = true;
    problem.value = null;
    try {
      const { name } = await postStudy<AddedStudy>(text.value);
      await postJson(`/api/studies/${encodeURIComponent(name)}/start`);
      goTo({ view: "studies", study: name });
    } catch (error) {
      problem.value = (error as Error).message;
    } finally {
      isBusy.value = false;
    }
  };
  return (
    <details class="card">
      <summary>Start a new study</summary>
      <form class="add-study" onSubmit={add}>
        <label class="field">
          <span>Study file (YAML)</span>
          <textarea
            rows={9}
            spellcheck={false}
            value={text.value}
            onInput={(event) => {
              text.value = event.currentTarget.value;
            }}
          />
        </label>
        {problem.value && (
          <p class="note harm" role="alert">
            {problem.value}
          </p>
        )}
        <button type="submit" disabled={isBusy.value}>
          {isBusy.value ? "Planning …" : "Plan and start"}
        </button>
      </form>
    </details>
  );
}
