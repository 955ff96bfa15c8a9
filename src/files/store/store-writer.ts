import {
  copyFileSync,
  existsSync,
  constants as fileConstants,
  linkSync,
  readdirSync,
  readFileSync,
  rmSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { check, DataError, Interrupted } from "../../core/errors.ts";
import type { StopSignal } from "../../core/stop-signal.ts";
import { makeFolder } from "../make-folder.ts";
import { withLock } from "../with-lock.ts";
import { replaceFile } from "../write-atomically.ts";
import { formatChecked, parseChecked } from "./checked-json.ts";
import { diskError } from "./disk-error.ts";
import { JOURNAL_FILE, type Journal, type Position, readJournal, writeJournal } from "./journal.ts";
import { finishedPart, type PartState, PartWriter } from "./part-writer.ts";
import {
  GRAPH_STORE,
  type PartsHeader,
  type PartsKind,
  type PartType,
  type StoreHeader,
  type StorePart,
} from "./store-header.ts";

/** Prefix of the names of temporary parts: no header lists them, and {@link StoreWriter.finish} removes them. */
export const SCRATCH = "scratch.";

/** Options of {@link StoreWriter.open}. */
export interface StoreWriterOptions {
  /** The journal is written after this many bytes: work since then is lost to a kill. Default 256 MiB. */
  readonly journalBytes?: number;
  /** The journal is also written after this many milliseconds. Default 10 s. */
  readonly journalMilliseconds?: number;
  /** Ends the work at the next position and writes the journal there. */
  readonly signal?: StopSignal;
  /** The kind of folder to write. Default: a graph store. @internal */
  readonly kind?: PartsKind;
}

/**
 * Writes a graph store, or another folder of parts, so that a kill at any moment does not destroy it. Numbers are only
 * appended to parts. From time to time a journal records how far each part is written and how far the source is read.
 * Opened again for the same task, the writer cuts the parts back to the journal and the work continues from its
 * position, so that the final bytes are those of an undisturbed run. The header is written last: a folder is a store
 * only when it is complete.
 */
export class StoreWriter {
  readonly folder: string;
  /** How far the source was read when the journal was written; empty for a new store. */
  readonly position: Position;
  private readonly task: Journal["task"];
  /** Parts of the journal that nobody has asked for yet. */
  private readonly unopened: Map<string, PartState>;
  private readonly options: StoreWriterOptions;
  private readonly parts = new Map<string, PartWriter>();
  private readonly whole: Record<string, StorePart> = {};
  private readonly flushes: (() => void)[] = [];
  private saving: Promise<void> = Promise.resolve();
  private savedBytes = 0;
  private savedAt = performance.now();

  private constructor(folder: string, journal: Journal, options: StoreWriterOptions) {
    this.folder = folder;
    this.task = journal.task;
    this.position = journal.position;
    this.unopened = new Map(Object.entries(journal.parts));
    this.options = options;
  }

  /** Begins a store in an empty or missing folder, or goes on with an unfinished one of the same task. */
  static async open(folder: string, task: Journal["task"], options: StoreWriterOptions = {}): Promise<StoreWriter> {
    try {
      await makeFolder(folder);
      const plainTask = JSON.parse(JSON.stringify(task)) as Journal["task"]; // as read from a journal
      const { kind = GRAPH_STORE } = options;
      const journal = unfinished(folder, kind, plainTask) ?? { task: plainTask, position: {}, parts: {} };
      const kept = new Set(Object.values(journal.parts).map(({ file }) => file));
      for (const file of readdirSync(folder)) {
        if (file !== JOURNAL_FILE && !kept.has(file)) rmSync(join(folder, file)); // newer than the journal
      }
      await writeJournal(folder, journal);
      return new StoreWriter(folder, journal, options);
    } catch (error) {
      throw diskError(error, folder);
    }
  }

  /** The part of this name, open for appending; new, or continued where the journal says. */
  part(name: string, type: PartType, bufferBytes?: number): PartWriter {
    const known = this.parts.get(name);
    if (known) return known;
    const fresh = { file: `${name}.${type}`, type, bytes: 0, checksums: [], running: 0 };
    const part = new PartWriter(this.folder, this.unopened.get(name) ?? fresh, bufferBytes);
    this.unopened.delete(name);
    this.parts.set(name, part);
    return part;
  }

  /** Path of a part, for reading it back. Everything appended so far is in the file. */
  pathOf(name: string, type: PartType): string {
    const { file } = this.part(name, type).state();
    return join(this.folder, file);
  }

  /** Calls `flush` before each journal is written: for callers that buffer numbers before they append them. */
  beforeJournal(flush: () => void): void {
    this.flushes.push(flush);
  }

  /** Tells the writer that the parts have everything before `position` of the source. Writes the journal if due. */
  async reached(position: Position): Promise<void> {
    const { journalBytes = 2 ** 28, journalMilliseconds = 10_000, signal } = this.options;
    if (signal?.aborted) {
      await this.save(position);
      throw new Interrupted("interrupted: run the same command again to go on from here");
    }
    const bytes = this.bytes();
    const due = bytes - this.savedBytes >= journalBytes || performance.now() - this.savedAt >= journalMilliseconds;
    if (!due) return;
    await this.saving; // the journal before this one
    this.savedBytes = bytes;
    this.savedAt = performance.now();
    this.saving = this.journalise(position);
    this.saving.catch(() => {}); // the next call that awaits it gets the error
  }

  /** Writes the journal now. */
  async save(position: Position): Promise<void> {
    await this.saving;
    await this.journalise(position);
  }

  /** Removes temporary parts; work that continues from `position` must not need them. */
  async drop(names: readonly string[], position: Position): Promise<void> {
    await this.saving; // it may be syncing them
    const files: string[] = [];
    for (const name of names) {
      const part = this.parts.get(name);
      const { file } = part ?? this.unopened.get(name) ?? {};
      if (file !== undefined) files.push(file);
      part?.close();
      this.parts.delete(name);
      this.unopened.delete(name);
    }
    await this.save(position);
    for (const file of files) rmSync(join(this.folder, file));
  }

  /** Takes over a part of another store unchanged: as a hard link if that is possible, else as a copy. */
  adopt(name: string, part: StorePart, path: string): void {
    const to = join(this.folder, part.file);
    try {
      rmSync(to, { force: true });
      linkSync(path, to);
    } catch {
      copyFileSync(path, to, fileConstants.COPYFILE_FICLONE);
    }
    this.whole[name] = part;
  }

  /** Completes the store by writing its header: `facts` and the parts. */
  async finish(facts: object): Promise<void> {
    await this.saving;
    for (const [name, { type }] of this.unopened) this.part(name, type); // cut back to what the journal says
    const parts: Record<string, StorePart> = { ...this.whole };
    const scratch: string[] = [];
    for (const [name, part] of this.parts) {
      if (name.startsWith(SCRATCH)) scratch.push(part.file);
      else parts[name] = finishedPart(part.state());
      await part.sync();
      part.close();
    }
    this.parts.clear();
    const { kind = GRAPH_STORE } = this.options;
    // Sorted, so that the header is the same after an interruption.
    const sorted = Object.fromEntries(Object.entries(parts).sort(([a], [b]) => (a < b ? -1 : 1)));
    const header: PartsHeader = { ...facts, parts: sorted };
    await replaceFile(join(this.folder, kind.headerFile), formatChecked(kind, header));
    for (const file of scratch) rmSync(join(this.folder, file));
    rmSync(join(this.folder, JOURNAL_FILE));
  }

  /** Closes the files; an unfinished store stays as the last journal describes it. */
  async close(): Promise<void> {
    await this.saving.catch(() => {});
    for (const part of this.parts.values()) part.close();
    this.parts.clear();
  }

  private bytes(): number {
    let bytes = 0;
    for (const part of this.parts.values()) bytes += part.bytes;
    return bytes;
  }

  private async journalise(position: Position): Promise<void> {
    for (const flush of this.flushes) flush();
    const parts = [...this.parts];
    const opened = Object.fromEntries(parts.map(([name, part]) => [name, part.state()]));
    const states = { ...Object.fromEntries(this.unopened), ...opened };
    await Promise.all(parts.map(([, part]) => part.sync()));
    await writeJournal(this.folder, { task: this.task, position, parts: states });
  }
}

/**
 * Makes a store with `work`. Errors of the disk become one-line messages. After any error, what the journal covers
 * stays, and the same call continues from there. If another process is writing the same store, this throws.
 */
export async function writeStore<Facts extends object = Omit<StoreHeader, "parts">>(
  folder: string,
  task: Journal["task"],
  options: StoreWriterOptions,
  work: (writer: StoreWriter) => Promise<Facts>,
): Promise<void> {
  const path = resolve(folder); // so that the lock has one name, however the folder is written
  const waits = (pid: number) => {
    throw new DataError(`${folder}: process ${pid} is writing it; wait for it to end, or choose another place`);
  };
  try {
    await makeFolder(dirname(path));
    await withLock(`${path}.writer`, { waits, signal: options.signal }, async () => {
      if (removeLeftovers(folder, options.kind ?? GRAPH_STORE, task)) return;
      const writer = await StoreWriter.open(folder, task, options);
      await work(writer)
        .then((facts) => writer.finish(facts))
        .finally(() => writer.close());
    });
  } catch (error) {
    throw diskError(error, folder);
  }
}

/**
 * Cleans up after a kill between writing the header and removing the journal. Returns true if the store is complete;
 * temporary parts and the journal are then removed.
 */
function removeLeftovers(folder: string, kind: PartsKind, task: Journal["task"]): boolean {
  const headerFile = join(folder, kind.headerFile);
  if (!existsSync(headerFile) || !existsSync(join(folder, JOURNAL_FILE))) return false;
  if (!isDeepStrictEqual(readJournal(folder)?.task, JSON.parse(JSON.stringify(task)))) return false;
  const { parts } = parseChecked(kind, readFileSync(headerFile, "utf8"), headerFile) as PartsHeader;
  const kept = new Set([kind.headerFile, JOURNAL_FILE, ...Object.values(parts).map(({ file }) => file)]);
  for (const file of readdirSync(folder)) if (!kept.has(file)) rmSync(join(folder, file));
  rmSync(join(folder, JOURNAL_FILE)); // last, so that a kill before this is cleaned up again
  return true;
}

/** The journal of an unfinished store for this task; undefined for an empty folder. Throws for anything else. */
function unfinished(folder: string, kind: PartsKind, task: Journal["task"]): Journal | undefined {
  const files = readdirSync(folder);
  const elsewhere = "remove it or choose another place";
  check(!files.includes(kind.headerFile), () => `${folder}: is ${kind.what} already; ${elsewhere}`);
  const journal = readJournal(folder);
  check(journal !== undefined || files.length === 0, () => `${folder}: holds something else; ${elsewhere}`, DataError);
  check(
    journal === undefined || isDeepStrictEqual(journal.task, task),
    () => `${folder}: holds an unfinished store of ${JSON.stringify(journal?.task)}; ${elsewhere}`,
  );
  return journal;
}
