import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Comparison, StudyDetails } from "../../serve/protocol.ts";
import { percent } from "../words.ts";
import { getJson } from "./api.ts";

/** Which of two models of a study is more robust, and how sure that is. */
export function CompareModels({ details, version }: { details: StudyDetails; version: number }) {
  const models = details.values.model ?? [];
  const first = useSignal(models[0]);
  const second = useSignal(models[1]);
  const rows = useSignal<Comparison>([]);
  useEffect(() => {
    if (models.length < 2 || first.value === second.value) return;
    const query = new URLSearchParams({ study: details.name, first: first.value, second: second.value });
    getJson<Comparison>(`/api/compare?${query}`).then(
      (found) => {
        rows.value = found;
      },
      () => {
        rows.value = []; // nothing was measured for both yet
      },
    );
  }, [first.value, second.value, version]);
  if (models.length < 2) return null;
  const chooser = (label: string, chosen: typeof first) => (
    <label class="field">
      <span>{label}</span>
      <select
        value={chosen.value}
        onChange={(event) => {
          chosen.value = event.currentTarget.value;
        }}
      >
        {models.map((model) => (
          <option key={model} value={model}>
            {model}
          </option>
        ))}
      </select>
    </label>
  );
  return (
    <details class="card">
      <summary>Compare two models</summary>
      <div class="filters">
        {chooser("First", first)}
        {chooser("Second", second)}
      </div>
      {rows.value.length === 0 ? (
        <p class="note">Nothing is measured for both yet.</p>
      ) : (
        <div class="wide">
          <table class="runs">
            <thead>
              <tr>
                <th scope="col">Graph</th>
                <th scope="col">Attack</th>
                <th scope="col">Flips found on</th>
                <th scope="col" class="number">
                  Budget
                </th>
                <th scope="col" class="number">
                  Difference
                </th>
                <th scope="col">More robust</th>
              </tr>
            </thead>
            <tbody>
              {rows.value.map((row) => (
                <tr key={Object.values(row).join()}>
                  <td>{row.dataset}</td>
                  <td>{row.attack}</td>
                  <td>{row.surrogate || "the model itself"}</td>
                  <td class="number">{percent(row.epsilon)}</td>
                  <td class="number">
                    {percent(row.difference)}
                    {row.interval && ` [${percent(row.interval[0])}, ${percent(row.interval[1])}]`}
                  </td>
                  <td>{row.moreRobust ?? "may be chance"}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </details>
  );
}
