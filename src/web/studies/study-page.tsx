import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { StudyDetails } from "../../serve/protocol.ts";
import { hashOf } from "../route.ts";
import { getJson } from "./api.ts";
import { CompareModels } from "./compare-models.tsx";
import { CountsBar } from "./counts-bar.tsx";
import type { LiveStudies } from "./live.ts";
import { ResultCurves } from "./result-curves.tsx";
import { RunTable } from "./run-table.tsx";
import { StudyButtons } from "./study-buttons.tsx";
import { countsText, stateOf } from "./study-words.ts";
import { WorkerList } from "./worker-list.tsx";

/** One study: how far it is, its curves, its runs, and what failed. */
export function StudyPage({ live, name }: { live: LiveStudies; name: string }) {
  const details = useSignal<StudyDetails | null>(null);
  const problem = useSignal<string | null>(null);
  const version = live.version.value;
  useEffect(() => {
    getJson<StudyDetails>(`/api/studies/${encodeURIComponent(name)}`).then(
      (found) => {
        details.value = found;
        problem.value = null;
      },
      (error: Error) => {
        problem.value = error.message;
      },
    );
  }, [name, version]);
  const now = live.studies.value?.find((each) => each.name === name) ?? details.value;
  return (
    <>
      <p>
        <a href={hashOf({ view: "studies", study: null })}>All studies</a>
      </p>
      <h1>{name}</h1>
      {problem.value && (
        <p class="notice" role="alert">
          {problem.value}
        </p>
      )}
      {now && (
        <div class="study-head">
          <p aria-live="polite">
            <strong>{stateOf(now)}</strong>, {countsText(now.counts)}
          </p>
          <CountsBar counts={now.counts} />
          {now.error && <p class="notice">{now.error}</p>}
          <StudyButtons study={now} />
          {now.counts.done > 0 && (
            <p>
              <a href={`/api/report?study=${encodeURIComponent(name)}`} target="_blank" rel="noopener">
                Report of this study
              </a>
            </p>
          )}
        </div>
      )}
      <WorkerList live={live} study={name} />
      {details.value && (
        <>
          <section class="card" aria-label="Results">
            <ResultCurves study={name} version={version} />
          </section>
          <CompareModels details={details.value} version={version} />
          <Failures details={details.value} />
          <RunTable details={details.value} version={version} />
          {details.value.text && (
            <details class="card">
              <summary>Study file</summary>
              <pre>{details.value.text}</pre>
            </details>
          )}
        </>
      )}
    </>
  );
}

function Failures({ details: { failures } }: { details: StudyDetails }) {
  if (failures.length === 0) return null;
  return (
    <section class="card" aria-label="Failures">
      <h2>What failed</h2>
      <ul class="failures">
        {failures.map(({ id, dataset, model, attack, seed, error }) => (
          <li key={id}>
            <strong>
              {dataset}, {model}, {attack}, seed {seed}
            </strong>
            <p class="note">{error}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
