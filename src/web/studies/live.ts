import { batch, signal } from "@preact/signals";
import type { ChangeEvent, Owner, StudySummary, WorkerProgress, Workers } from "../../serve/protocol.ts";
import { getJson } from "./api.ts";

/** The studies of the store as they are now, whichever processes measure them. */
export class LiveStudies {
  /** The last changed comes first; null before the server has answered. */
  readonly studies = signal<readonly StudySummary[] | null>(null);
  readonly progress = signal<readonly WorkerProgress[]>([]);
  readonly owners = signal<readonly Owner[]>([]);
  readonly isConnected = signal(false);
  readonly error = signal<string | null>(null);
  /** Grows whenever runs have changed: lists of runs load again. */
  readonly version = signal(0);

  /** Listens to the server until the returned function is called. Listens before it loads, to miss no change. */
  follow(): () => void {
    const source = new EventSource("/api/events");
    source.addEventListener("open", () => {
      this.isConnected.value = true;
    });
    source.addEventListener("error", () => {
      this.isConnected.value = false; // the browser tries again by itself
    });
    source.addEventListener("change", ({ data }) => this.change(JSON.parse(data) as ChangeEvent));
    source.addEventListener("progress", ({ data }) => {
      this.progress.value = JSON.parse(data) as WorkerProgress[];
    });
    source.addEventListener("reset", () => this.load());
    this.load();
    return () => source.close();
  }

  async load(): Promise<void> {
    try {
      const [studies, workers] = await Promise.all([
        getJson<StudySummary[]>("/api/studies"),
        getJson<Workers>("/api/workers"),
      ]);
      batch(() => {
        this.studies.value = studies;
        this.owners.value = workers.owners;
        this.progress.value = workers.progress;
        this.error.value = null;
        this.version.value++;
      });
    } catch (error) {
      this.error.value = error instanceof Error ? error.message : String(error);
    }
  }

  private change({ runs, studies, owners, isMore }: ChangeEvent): void {
    if (isMore) {
      this.load();
      return;
    }
    batch(() => {
      const changed = new Set(studies.map(({ name }) => name));
      const others = (this.studies.value ?? []).filter(({ name }) => !changed.has(name));
      if (this.studies.value && studies.length > 0) this.studies.value = [...studies, ...others];
      this.owners.value = owners;
      if (runs.length > 0) this.version.value++;
    });
  }
}
