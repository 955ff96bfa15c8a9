import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { RunPage, RunRow, SortColumn, StudyDetails } from "../../serve/protocol.ts";
import { count, percent } from "../words.ts";
import { getJson } from "./api.ts";

/** Runs per page. */
const PAGE = 50;

interface Column {
  readonly name: SortColumn;
  readonly title: string;
  readonly show: (run: RunRow) => string;
  readonly isNumber?: boolean;
}

const accuracy = (share: number | null) => (share === null ? "" : percent(share));

const COLUMNS: readonly Column[] = [
  { name: "state", title: "State", show: ({ state }) => state },
  { name: "dataset", title: "Graph", show: ({ dataset }) => dataset },
  { name: "model", title: "Model", show: ({ model }) => model },
  { name: "attack", title: "Attack", show: ({ attack }) => attack },
  { name: "epsilon", title: "Budget", show: ({ epsilon }) => percent(epsilon), isNumber: true },
  { name: "seed", title: "Seed", show: ({ seed }) => String(seed), isNumber: true },
  { name: "clean", title: "Clean", show: ({ clean }) => accuracy(clean), isNumber: true },
  { name: "value", title: "Attacked", show: ({ value }) => accuracy(value), isNumber: true },
  { name: "seconds", title: "Seconds", show: ({ seconds }) => seconds?.toFixed(1) ?? "", isNumber: true },
];

/** Columns with a filter, which is shown if runs differ in the column. */
const FILTERS = ["dataset", "model", "attack", "epsilon"] as const;
const STATES = ["waiting", "running", "done", "failed"];

/** The runs of a study: filtered, sorted, page by page. */
export function RunTable({ details, version }: { details: StudyDetails; version: number }) {
  const filter = useSignal<Readonly<Record<string, string>>>({});
  const sort = useSignal<string | null>(null);
  const page = useSignal<RunPage | null>(null);
  const problem = useSignal<string | null>(null);
  const load = async (after: string | null) => {
    const query = new URLSearchParams({ study: details.name, limit: String(PAGE), ...filter.value });
    if (sort.value) query.set("sort", sort.value);
    if (after) query.set("after", after);
    try {
      const next = await getJson<RunPage>(`/api/runs?${query}`);
      page.value = after && page.value ? { ...next, runs: [...page.value.runs, ...next.runs] } : next;
      problem.value = null;
    } catch (error) {
      problem.value = (error as Error).message;
    }
  };
  useEffect(() => {
    load(null);
  }, [details.name, filter.value, sort.value, version]);
  const choose = (name: string, value: string) => {
    const { [name]: _, ...others } = filter.value;
    filter.value = value === "" ? others : { ...others, [name]: value };
  };
  const chooser = (name: string, values: readonly (string | number)[]) => (
    <label key={name} class="field">
      <span>{name}</span>
      <select value={filter.value[name] ?? ""} onChange={(event) => choose(name, event.currentTarget.value)}>
        <option value="">all</option>
        {values.map((value) => (
          <option key={value} value={String(value)}>
            {String(value)}
          </option>
        ))}
      </select>
    </label>
  );
  return (
    <section aria-label="Runs">
      <div class="filters">
        {chooser("state", STATES)}
        {FILTERS.flatMap((name) => (details.values[name] ? [chooser(name, details.values[name])] : []))}
      </div>
      {problem.value && (
        <p class="note harm" role="alert">
          {problem.value}
        </p>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a table that is wider than the page is scrolled by keys */}
      <section class="wide" tabIndex={0} aria-label="Table of runs">
        <table class="runs">
          <thead>
            <tr>
              {COLUMNS.map((column) => (
                <HeadCell key={column.name} column={column} sort={sort.value} sorted={(next) => (sort.value = next)} />
              ))}
            </tr>
          </thead>
          <tbody>
            {page.value?.runs.map((run) => (
              <tr key={run.id} class={run.state}>
                {COLUMNS.map(({ name, show, isNumber }) => (
                  <td
                    key={name}
                    class={isNumber ? "number" : ""}
                    {...(name === "state" && run.error && { title: run.error })}
                  >
                    {show(run)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {page.value?.runs.length === 0 && <p class="note">No run is like that.</p>}
      {page.value?.next && (
        <button type="button" onClick={() => load(page.value!.next)}>
          More ({count(page.value.runs.length)} are listed)
        </button>
      )}
    </section>
  );
}

interface HeadCellProps {
  readonly column: Column;
  readonly sort: string | null;
  readonly sorted: (sort: string) => void;
}

/** The name of a column. A click sorts by it, ascending; the next one sorts descending. */
function HeadCell({ column: { name, title, isNumber }, sort, sorted }: HeadCellProps) {
  const isUp = sort === name;
  const isDown = sort === `-${name}`;
  const order = isUp ? "ascending" : isDown ? "descending" : "none";
  return (
    <th scope="col" class={isNumber ? "number" : ""} aria-sort={order}>
      <button type="button" class="quiet" onClick={() => sorted(isUp ? `-${name}` : name)}>
        {title}
        {isUp && " ↑"}
        {isDown && " ↓"}
      </button>
    </th>
  );
}
