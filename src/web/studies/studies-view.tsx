import { useEffect } from "preact/hooks";
import { hashOf } from "../route.ts";
import { AddStudy } from "./add-study.tsx";
import { CountsBar } from "./counts-bar.tsx";
import { LiveStudies } from "./live.ts";
import { StudyButtons } from "./study-buttons.tsx";
import { StudyPage } from "./study-page.tsx";
import { countsText, stateOf } from "./study-words.ts";
import { WorkerList } from "./worker-list.tsx";

const live = new LiveStudies();

/** Studies and runs, live. */
export function StudiesView({ study }: { study: string | null }) {
  useEffect(() => live.follow(), []);
  useEffect(() => {
    document.title = study === null ? "Studies · rgnn" : `${study} · rgnn`;
  }, [study]);
  return (
    <main class="column wide-column" id="main">
      {!live.isConnected.value && live.studies.value && (
        <p class="notice" role="status">
          The server does not answer; what you see may be old. Trying again …
        </p>
      )}
      {live.error.value && (
        <p class="notice" role="alert">
          {live.error.value}
        </p>
      )}
      {study === null ? <StudyList /> : <StudyPage key={study} live={live} name={study} />}
    </main>
  );
}

function StudyList() {
  const studies = live.studies.value;
  return (
    <>
      <h1>Studies</h1>
      {studies?.length === 0 && (
        <p class="note">There is no study in this store yet. Start one below, or with: rgnn run study.yaml</p>
      )}
      <ul class="studies">
        {studies?.map((study) => (
          <li key={study.name} class="card">
            <div class="study-line">
              <h2>
                <a href={hashOf({ view: "studies", study: study.name })}>{study.name}</a>
              </h2>
              <span>{stateOf(study)}</span>
            </div>
            <CountsBar counts={study.counts} />
            <div class="study-line">
              <p class="note">{countsText(study.counts)}</p>
              <StudyButtons study={study} />
            </div>
            {study.error && <p class="note harm">{study.error}</p>}
          </li>
        ))}
      </ul>
      <WorkerList live={live} study={null} />
      <AddStudy />
    </>
  );
}
