import type { WishedStudy } from "../../experiment/store/store.ts";
import type { AskedStore } from "../store/asked-store.ts";
import { ProgressBoard } from "./progress-board.ts";
import { type LastWord, type StudyProcess, startStudy } from "./start-study.ts";

/** Where studies run. */
export interface StudyPlace {
  readonly place: string;
  readonly artefacts: string;
  readonly workers?: number;
  readonly dataDir?: string;
}

/** A study is paused when its process has died this often without a message. */
const MOST_DEATHS = 3;

/**
 * Runs the studies that the store says should run, one after the other: a study uses all cores. Only the store says
 * what should run, so a server that is started again goes on, and any process can write a wish there.
 */
export class Supervisor {
  readonly progress = new ProgressBoard();
  private readonly store: AskedStore;
  private readonly where: StudyPlace;
  private readonly log: (line: string) => void;
  private active: { readonly name: string; readonly process: StudyProcess; isStopping: boolean } | null = null;
  private readonly planning = new Set<StudyProcess>();
  /** Cancelled studies whose waiting runs are dropped already. */
  private readonly dropped = new Set<string>();
  private readonly deaths = new Map<string, number>();
  /** True while the end of a study is written to the store: until then the study looks as if it should be started. */
  private isSettling = false;
  private turn: Promise<void> = Promise.resolve();
  private isClosed = false;

  constructor(store: AskedStore, where: StudyPlace, log: (line: string) => void) {
    this.store = store;
    this.where = where;
    this.log = log;
  }

  /** Whether this server is running a study. */
  isActive(name: string): boolean {
    return this.active?.name === name;
  }

  /** Starts and stops studies as the wishes in the store say. */
  follow(): Promise<void> {
    this.turn = this.turn.then(() => (this.isClosed ? undefined : this.obey())).catch((error) => this.complain(error));
    return this.turn;
  }

  /** Plans a study and adds its runs, without running it. */
  async add(text: string): Promise<LastWord | null> {
    const process = startStudy({ ...this.task(text), isToRun: false }, this.where.dataDir, () => {});
    this.planning.add(process);
    return process.ended.finally(() => this.planning.delete(process));
  }

  /** Stops running and planning. A running study keeps its wish, so that the next server goes on with it. */
  async close(): Promise<void> {
    this.isClosed = true;
    await this.turn;
    const processes = [...this.planning, ...(this.active ? [this.active.process] : [])];
    for (const process of processes) process.stop();
    await Promise.all(processes.map(({ ended }) => ended));
  }

  private async obey(): Promise<void> {
    const wishes = await this.store.ask("wishes");
    const cancelled = wishes.filter(({ wish }) => wish === "cancel").map(({ name }) => name);
    for (const name of this.dropped) if (!cancelled.includes(name)) this.dropped.delete(name);
    const { active } = this;
    if (active && !wishes.some(({ name, wish }) => name === active.name && wish === "run")) {
      if (!active.isStopping) active.process.stop();
      active.isStopping = true;
    }
    for (const name of cancelled) {
      if (this.dropped.has(name) || this.isActive(name)) continue;
      this.dropped.add(name);
      await this.store.ask("dropWaiting", name);
    }
    const next = wishes.find(({ wish }) => wish === "run");
    if (next && !this.active && !this.isSettling) await this.start(next);
  }

  private async start({ name, text }: WishedStudy): Promise<void> {
    if (text === null) {
      await this.store.ask(
        "wish",
        name,
        "pause",
        `the store does not have the text of ${name}; run it once with rgnn run`,
      );
      return;
    }
    const process = startStudy({ ...this.task(text), isToRun: true }, this.where.dataDir, (message) => {
      if (message.kind === "work") this.progress.note(name, message);
    });
    this.active = { name, process, isStopping: false };
    process.ended
      .then((last) => this.ended(name, last))
      .catch((error) => this.complain(error))
      .then(() => this.follow());
    await this.store.ask("touch", name);
  }

  private async ended(name: string, last: LastWord | null): Promise<void> {
    const wasStopped = this.active?.isStopping || this.isClosed;
    this.active = null;
    this.progress.clear();
    if (this.isClosed) return;
    this.isSettling = true;
    try {
      await this.store.ask("releaseDead"); // the runs of a process that had to be killed
      if (wasStopped) await this.store.ask("touch", name);
      else if (last?.kind === "failed") await this.pause(name, last.error);
      else if (last?.kind === "ended") await this.finished(name, last.report.waiting);
      else await this.died(name);
    } finally {
      this.isSettling = false;
    }
  }

  private async finished(name: string, waiting: number): Promise<void> {
    this.deaths.delete(name);
    if (waiting > 0) await this.pause(name, `${waiting} runs are left, for devices that this machine does not have`);
    else await this.store.ask("wish", name, null);
  }

  private async died(name: string): Promise<void> {
    const deaths = (this.deaths.get(name) ?? 0) + 1;
    this.deaths.set(name, deaths);
    this.log(`${name}: its process ended without a word (${deaths} of ${MOST_DEATHS} times)`);
    if (deaths < MOST_DEATHS) return;
    this.deaths.delete(name);
    await this.pause(name, `its process ended without a word ${MOST_DEATHS} times; is there enough memory?`);
  }

  private async pause(name: string, error: string): Promise<void> {
    this.log(`${name}: ${error}`);
    await this.store.ask("wish", name, "pause", error);
  }

  private task(text: string) {
    const { place, artefacts, workers } = this.where;
    return { place, artefacts, text, ...(workers !== undefined && { workers }) };
  }

  private complain(error: unknown): void {
    if (!this.isClosed) this.log(`studies: ${(error as Error).message}`);
  }
}
