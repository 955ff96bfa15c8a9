import type { Tensor } from "../../tensor/index.ts";

export type Parameters = Readonly<Record<string, Tensor>>;

/** Something that owns parameters. */
export interface Parametrised {
  named(): Parameters;
}

/** Parameters of lists of layers under names such as `convs.0.weight`. */
export function collect(groups: Readonly<Record<string, readonly Parametrised[]>>): Map<string, Tensor> {
  const all = new Map<string, Tensor>();
  for (const [group, members] of Object.entries(groups)) {
    for (const [i, member] of members.entries()) {
      for (const [name, tensor] of Object.entries(member.named())) all.set(`${group}.${i}.${name}`, tensor);
    }
  }
  return all;
}
