import type { LiveStudies } from "./live.ts";

/** What the workers of this server are doing, and all processes that hold runs of the store. */
export function WorkerList({ live, study }: { live: LiveStudies; study: string | null }) {
  const here = live.progress.value.filter((each) => study === null || each.study === study);
  const owners = live.owners.value;
  if (here.length === 0 && owners.length === 0) return null;
  return (
    <section class="card" aria-label="Workers">
      <h2>At work now</h2>
      {here.map(({ worker, label, share, note, run }) => (
        <div key={`${worker},${run}`} class="worker">
          <span>{label}</span>
          <progress aria-label={label} value={share} max={1} />
          <small class="note">{note}</small>
        </div>
      ))}
      {owners.length > 0 && <p class="note">{owners.map(({ owner, runs }) => `${owner} (${runs})`).join(", ")}</p>}
    </section>
  );
}
