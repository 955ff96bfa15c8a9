import type { StudyRecord } from "../experiment/store/store.ts";
import type { ChangeFeed } from "./events/change-feed.ts";
import type { EventStreams } from "./events/event-stream.ts";
import type { LabHost } from "./lab/lab-host.ts";
import type { StudySummary } from "./protocol.ts";
import type { StaticFiles } from "./static-files.ts";
import type { AskedStore } from "./store/asked-store.ts";
import type { Supervisor } from "./studies/supervisor.ts";

/** Makes the report of a study, or of the whole store, as a page. */
export type MakeReport = (place: string, study: string | undefined) => Promise<string>;

/** What the routes of a server use. */
export interface ServerParts {
  /** Name of the store, without any password. */
  readonly storeName: string;
  /** For queries that may be slow. */
  readonly queries: AskedStore;
  /** For wishes and changes only: it never waits behind a slow query. */
  readonly notes: AskedStore;
  readonly feed: ChangeFeed;
  readonly events: EventStreams;
  readonly supervisor: Supervisor;
  readonly files: StaticFiles;
  /** Null if there is no interactive engine. */
  readonly lab: LabHost | null;
  /** Null if nothing makes reports. */
  readonly report: ((study: string | undefined) => Promise<string>) | null;
  /** Studies that are posted may name files in these folders only. */
  readonly folders: readonly string[];
  /** Largest upload, in bytes. */
  readonly uploadLimit: number;
  readonly summarise: (record: StudyRecord) => StudySummary;
  readonly log: (line: string, error?: unknown) => void;
}
