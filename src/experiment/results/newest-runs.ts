import type { FinishedRun } from "../store/store.ts";
import { cellId } from "../study/run-description.ts";

/** Finds runs that are replaced by a newer one, which differs by the code alone. */
export class NewestRuns {
  private readonly newest = new Map<string, { readonly id: string; readonly finishedAt: number }>();
  private readonly replaced = new Set<string>();

  add({ id, description, finishedAt }: FinishedRun): void {
    const { cell, seed, splitHash } = description;
    const key = `${cellId({ ...cell, code: { training: "", attack: "" } })} ${seed} ${splitHash}`;
    const known = this.newest.get(key);
    const isNewest = !known || known.finishedAt <= finishedAt;
    if (isNewest) this.newest.set(key, { id, finishedAt });
    if (known) this.replaced.add(isNewest ? known.id : id);
  }

  isReplaced({ id }: FinishedRun): boolean {
    return this.replaced.has(id);
  }
}
