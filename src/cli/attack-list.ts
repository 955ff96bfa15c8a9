import { globalAttacks } from "../attack/global-attacks.ts";
import { formatTable } from "./table.ts";

/** What `rgnn attack --attack list` prints: each attack, its options and their defaults. */
export function attackList(): string {
  return Object.entries(globalAttacks)
    .map(([name, { summary, options, defaults, loss }]) => {
      const rows = Object.entries(options).map(([option, meaning]) => [
        `  ${option}`,
        String(defaults[option]),
        meaning,
      ]);
      if (loss) rows.push(["  loss", loss, "what to maximise, set by --loss"]);
      const table = formatTable([{ title: "  option" }, { title: "default" }, { title: "meaning" }], rows);
      return `${name}: ${summary}\n${rows.length ? table : "  no options"}`;
    })
    .join("\n\n");
}
