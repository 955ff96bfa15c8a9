import { left, right } from "../../table-column.ts";
import type { ReportSection } from "../report.ts";
import { strengthAttacks } from "./plan.ts";
import { groupResults, meanOf, type StrengthResult } from "./results.ts";

/** Seconds of each attack, by the device it ran on. */
export function timesSection(results: readonly StrengthResult[]): ReportSection {
  const attacks = Object.keys(strengthAttacks).filter((name) => results.some(({ attack }) => attack === name));
  const groups = groupResults(results, ({ dataset, model, epsilon, device }) =>
    [dataset, model, epsilon, device].join(" "),
  );
  return {
    title: "Seconds of an attack",
    note: `Mean over seeds, with everything that was found before and used: transfer includes the attack on the GCN. Times on different devices, or
of a machine that did other work as well, do not compare.`,
    columns: [left("dataset"), left("model"), right("epsilon"), left("device"), ...attacks.map(attackColumn)],
    cells: groups.map((group) => {
      const { dataset, model, epsilon, device } = group[0];
      const seconds = attacks.map((name) =>
        meanOf(group.filter(({ attack }) => attack === name).map((result) => result.seconds)),
      );
      return [dataset, model, String(epsilon), device, ...seconds.map((value) => value?.toFixed(1) ?? "")];
    }),
  };
}

function attackColumn(name: string) {
  return right(strengthAttacks[name].title);
}
