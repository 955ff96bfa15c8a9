import type { AttackRun, VictimChoice } from "../experiment/attack-victim.ts";
import { checkCollectable, collectionEntry } from "../experiment/collect-flips.ts";
import type { Session } from "../experiment/session.ts";
import { addToCollection, checkCollectionFile } from "../files/collection/collection-files.ts";

/** `--save-collection` of `rgnn attack`: mistakes fail here, before anything is trained. */
export async function checkSaving(session: Session, choices: readonly VictimChoice[], place: string): Promise<void> {
  for (const choice of choices) checkCollectable(session, choice);
  await checkCollectionFile(place, session.dataset);
}

/** Keeps the flips of an attack if they are the strongest, and says on stderr what became of them. */
export async function saveToCollection(session: Session, run: AttackRun, place: string): Promise<void> {
  const { isKept, before } = await addToCollection(place, collectionEntry(session, run));
  const { model, budget, accuracy } = run.report;
  const about = `${model}, seed ${run.report.seed}, ${budget} flips`;
  const found = accuracy.adversarial.toFixed(4);
  const known = before?.accuracy.adversarial.toFixed(4);
  if (!isKept)
    console.error(`${place}: keeps what it has for ${about}: ${known} with ${before?.attack}, found ${found}`);
  else console.error(`${place}: keeps these flips for ${about}: ${found}${before ? ` in place of ${known}` : ""}`);
}
