import type { Job } from "../workbench.ts";

/** Work that is going on: its title, its progress, and a button to cancel it. */
export function JobProgress({ job }: { job: Job }) {
  const { title, progress, cancel } = job;
  const share = progress && progress.total > 0 ? progress.done / progress.total : null;
  return (
    <div class="job">
      <div class="job-line">
        <strong role="status">{title} …</strong>
        <button type="button" class="quiet" onClick={cancel}>
          Cancel
        </button>
      </div>
      <progress aria-label={title} {...(share !== null && { value: share })} max={1} />
      <p class="note">{progress?.note ?? ""}</p>
    </div>
  );
}
