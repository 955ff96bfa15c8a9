import { useSignal } from "@preact/signals";
import type { StudySummary } from "../../serve/protocol.ts";
import { postJson } from "./api.ts";

/** Starts, pauses and cancels a study. */
export function StudyButtons({ study }: { study: StudySummary }) {
  const problem = useSignal<string | null>(null);
  const wish = (verb: "start" | "pause" | "cancel") => async () => {
    problem.value = null;
    const address = `/api/studies/${encodeURIComponent(study.name)}/${verb}`;
    await postJson(address).catch((error: Error) => {
      problem.value = error.message;
    });
  };
  const isWanted = study.wish === "run" || study.isActive;
  const hasMore = study.counts.waiting + study.counts.failed > 0 || study.wish === "cancel";
  return (
    <div class="study-buttons">
      {!isWanted && hasMore && (
        <button type="button" disabled={!study.hasText} onClick={wish("start")}>
          Start
        </button>
      )}
      {isWanted && (
        <button type="button" onClick={wish("pause")}>
          Pause
        </button>
      )}
      {study.counts.waiting > 0 && study.wish !== "cancel" && (
        <button type="button" onClick={wish("cancel")}>
          Cancel
        </button>
      )}
      {problem.value && (
        <p class="note harm" role="alert">
          {problem.value}
        </p>
      )}
    </div>
  );
}
