import type { Choice } from "rgnn/lab";
import { percent } from "../words.ts";
import type { Setup, Workbench } from "../workbench.ts";

/** The form in which graph, model, attack and budget are chosen. */
export function SetupForm({ bench, runLabel }: { bench: Workbench; runLabel: string }) {
  const offer = bench.offer.value;
  const setup = bench.setup.value;
  if (!offer) return null;
  const change = (part: Partial<Setup>) => {
    bench.setup.value = { ...setup, ...part };
  };
  const isBusy = bench.job.value !== null;
  return (
    <form
      class="setup"
      onSubmit={(event) => {
        event.preventDefault();
        bench.trainAndAttack();
      }}
    >
      <GraphSelect bench={bench} />
      <Select label="Model" value={setup.model} from={offer.models} changed={(model) => change({ model })} />
      <Select label="Attack" value={setup.attack} from={offer.attacks} changed={(attack) => change({ attack })} />
      <label class="field">
        <span>
          Budget <output>{percent(setup.epsilon, 0)} of the edges</output>
        </span>
        <input
          type="range"
          min={1}
          max={25}
          value={Math.round(100 * setup.epsilon)}
          onInput={(event) => change({ epsilon: Number(event.currentTarget.value) / 100 })}
        />
      </label>
      <label class="field">
        <span>Effort</span>
        <select
          value={setup.effort}
          onChange={(event) => change({ effort: event.currentTarget.value as Setup["effort"] })}
        >
          <option value="quick">A few seconds</option>
          <option value="thorough">As strong as it gets</option>
        </select>
      </label>
      <label class="field">
        <span>Seed</span>
        <input
          type="number"
          min={0}
          value={setup.seed}
          onChange={(event) => change({ seed: Math.max(0, Math.round(Number(event.currentTarget.value))) })}
        />
      </label>
      <button type="submit" disabled={isBusy}>
        {runLabel}
      </button>
      <p class="note">Computed by {offer.device}.</p>
    </form>
  );
}

/** Chooses among the known graphs; if the user's own graph is open, it is listed too. */
export function GraphSelect({ bench }: { bench: Workbench }) {
  const graphs = bench.offer.value?.graphs ?? [];
  const name = bench.graph.value?.name ?? "";
  const isOwn = name !== "" && !graphs.some((each) => each.name === name);
  const own = isOwn ? [{ name, summary: "your graph" }] : [];
  return (
    <Select
      label="Graph"
      value={name}
      from={[...own, ...graphs]}
      disabled={bench.job.value !== null}
      changed={(next) => bench.openGraph(next)}
    />
  );
}

interface SelectProps {
  readonly label: string;
  readonly value: string;
  readonly from: readonly Choice[];
  readonly disabled?: boolean;
  readonly changed: (name: string) => void;
}

export function Select({ label, value, from, disabled = false, changed }: SelectProps) {
  const summary = from.find(({ name }) => name === value)?.summary;
  return (
    <label class="field">
      <span>{label}</span>
      <select
        value={value}
        disabled={disabled}
        title={summary}
        onChange={(event) => changed(event.currentTarget.value)}
      >
        {from.map(({ name }) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
      {summary && <small>{summary}</small>}
    </label>
  );
}
