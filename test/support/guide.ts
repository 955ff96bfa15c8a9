import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import { requestLike } from "./curl.ts";
import { expectKnown } from "./known-command.ts";
import { printedBy, promisedLines } from "./program.ts";
import { rgnnHere } from "./rgnn.ts";
import { type ShellLine, shellLines } from "./shell-lines.ts";

const pages = join(import.meta.dirname, "..", "..", "docs", "guide");

/** Names of the pages of the guide. */
export const guidePages: readonly string[] = readdirSync(pages).filter((name) => name.endsWith(".md"));

export function guideText(page: string): string {
  return readFileSync(join(pages, page), "utf8");
}

/**
 * A block of code on a page. The mark, which stands behind the kind, says what is done with it:
 *
 *     ```yaml study.yaml               a file of this name
 *     ```sh                            commands that are run
 *     ```sh with a PostgreSQL server   the same, on a server that runs
 *     ```sh with a dashboard           requests to a dashboard that runs
 *     ```sh not run: needs a GPU       commands that are only checked
 *     ```ts                            a part of the program of the page, which is run
 *     ```text                          lines that commands or the program print, up to numbers
 *
 * Anything else needs a check of its own.
 */
export interface Block {
  /** Page and line. */
  readonly where: string;
  readonly kind: string;
  /** Empty if there is none. */
  readonly mark: string;
  readonly text: string;
}

/** The blocks of a page. Those without a fence are refused, because nothing could be said of them. */
export function blocksOf(page: string, text = guideText(page)): Block[] {
  const fenced = /^```(\w+) ?(.*)\n([\s\S]*?)^```$/gm;
  const rest = text.replaceAll(fenced, "");
  expect(rest, `${page}: a fence without a kind, or without an end`).not.toContain("```");
  expect(/\n\n {4}.+/.exec(rest)?.[0].trim(), `${page}: a block without fences`).toBeUndefined();
  return [...text.matchAll(fenced)].map(({ 1: kind, 2: mark, 3: code, index }) => ({
    where: `${page}:${text.slice(0, index).split("\n").length}`,
    kind: kind!,
    mark: mark!,
    text: code!,
  }));
}

/** The program that the blocks of a page make up; empty if there is none. */
export function programOf(blocks: readonly Block[]): string {
  return blocks
    .filter(isProgram)
    .map(({ text }) => text)
    .join("\n");
}

/** What the blocks of a page are run in. */
export interface Surroundings {
  readonly folder: string;
  /** The address of an empty database. */
  readonly server?: string;
  /** Such as http://127.0.0.1:1234 */
  readonly dashboard?: string;
  /** For blocks of which nothing is known in general, by their kind. */
  readonly checks?: Readonly<Record<string, (text: string) => unknown>>;
}

/** Runs or checks all blocks of a page, one after the other; throws if there is one that can be neither. */
export async function runPage(page: string, around: Surroundings, blocks = blocksOf(page)): Promise<void> {
  const before = process.cwd();
  process.chdir(around.folder);
  try {
    const printed: string[] = [];
    for (const block of blocks) printed.push(...(await runBlock(block, around)));
    const program = programOf(blocks);
    const byProgram = program === "" ? [] : await printedBy(program, around.folder);
    const shown = blocks.filter(isOutput).flatMap(({ text }) => text.trimEnd().split("\n"));
    for (const line of shown) expectPrinted(page, line, [...printed, ...byProgram]);
    const others = byProgram.filter((line) => !shown.some((other) => isLike(line, other)));
    expect(others, `${page}: what its program prints`).toEqual(promisedLines(program));
  } finally {
    process.chdir(before);
  }
}

/** Does with a block what its mark says; the lines that are printed. */
async function runBlock(block: Block, around: Surroundings): Promise<string[]> {
  const { where, kind, mark, text } = block;
  const check = around.checks?.[kind];
  if (kind === "sh") return runLines(block, around);
  if (isOutput(block) || isProgram(block)) return []; // their turn comes when all others have been run
  if (/^[\w/.-]+\.\w+$/.test(mark)) writeText(join(around.folder, mark), text);
  else if (check) await check(text);
  else throw new Error(`${where}: a block that is neither run nor checked`);
  return [];
}

async function runLines({ where, mark, text }: Block, around: Surroundings): Promise<string[]> {
  const printed: string[] = [];
  for (const line of shellLines(text)) {
    if (/^not run: \w/.test(mark)) await expectKnown(line.words);
    else if (mark === "") printed.push(...(await run(line)));
    else if (mark === "with a PostgreSQL server") printed.push(...(await runOnServer(line, around)));
    else if (mark === "with a dashboard") await request(line, around);
    else throw new Error(`${where}: "${mark}" does not say what to do with the block`);
  }
  return printed;
}

/** Runs a command in this process, which must end with 0; the lines that it prints, those of stderr included. */
async function run({ text: command, words: [name, ...args], to }: ShellLine): Promise<string[]> {
  expect(name, `${command}: must be rgnn, or be marked as not run`).toBe("rgnn");
  const { status, stdout, lines } = await rgnnHere(args);
  expect({ command, status, stderr: status === 0 ? [] : lines }).toEqual({ command, status: 0, stderr: [] });
  if (to !== null) writeText(to, stdout);
  return [...stdout.split("\n"), ...lines];
}

/** The same with the address of a server that there is. Workers end when nothing waits. */
function runOnServer(line: ShellLine, { server }: Surroundings): Promise<string[]> {
  const words = line.words.map((word) => (word.startsWith("postgres://") ? server! : word));
  return run({ ...line, words: words[1] === "worker" ? [...words, "--wait", "0"] : words });
}

async function request({ text: command, words: [name, ...args] }: ShellLine, around: Surroundings): Promise<void> {
  expect(name).toBe("curl");
  const readFile = (file: string) => readFileSync(join(around.folder, file), "utf8");
  const status = await requestLike(args, { url: around.dashboard!, readFile });
  expect({ command, isFine: status >= 200 && status < 300 }).toEqual({ command, isFine: true });
}

function writeText(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function isOutput({ kind, mark }: Block): boolean {
  return kind === "text" && mark === "";
}

function isProgram({ kind, mark }: Block): boolean {
  return kind === "ts" && mark === "";
}

function expectPrinted(page: string, line: string, printed: readonly string[]): void {
  if (printed.some((other) => isLike(line, other))) return;
  expect(printed, `${page}: nothing prints a line like "${line}"`).toContain(line);
}

/** By how much an accuracy may differ from what a page shows: results move a little when an attack gets better. */
const TOLERANCE = 0.03;

/** Whether two lines say the same: the same words, and the same accuracies up to a tolerance. Other numbers may differ. */
function isLike(line: string, other: string): boolean {
  const mine = accuraciesIn(line);
  const theirs = accuraciesIn(other);
  const areClose = mine.every((accuracy, k) => Math.abs(accuracy - theirs[k]!) <= TOLERANCE);
  return wordsIn(line) === wordsIn(other) && mine.length === theirs.length && areClose;
}

function wordsIn(line: string): string {
  return line
    .trim()
    .replaceAll(/\d[\d,]*(?:\.\d+)?/g, "#")
    .replaceAll(/\s+/g, " ")
    .replaceAll(/-{2,}/g, "--"); // lines of tables
}

/** Numbers with three digits or more behind the point. */
function accuraciesIn(line: string): number[] {
  return Array.from(line.matchAll(/\b[01]\.\d{3,}\b/g), ([number]) => Number(number));
}
