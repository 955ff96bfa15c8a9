/** A parameter or the elements of a buffer: name and WGSL type. */
export interface Declaration {
  readonly name: string;
  readonly type: string;
}

/** A buffer that a kernel binds. */
export interface Binding extends Declaration {
  readonly writable: boolean;
}

/** A WGSL file and the lists in its first comment. */
export interface ShaderFile {
  readonly name: string;
  readonly text: string;
  /** Extensions of WGSL that it needs. */
  readonly enables: readonly string[];
  /** Files that it is always assembled with. */
  readonly uses: readonly string[];
  /** Functions and constants that it uses but does not declare: one of several files provides them. */
  readonly requires: readonly string[];
  /** Constants whose values the launch provides. */
  readonly constants: readonly string[];
  readonly params: readonly Declaration[];
  readonly bindings: readonly Binding[];
  /** Functions, types, constants and variables that it declares. */
  readonly provides: ReadonlySet<string>;
}

const KEYWORDS = ["enables", "uses", "requires", "constants", "params", "writes", "reads"] as const;
type Keyword = (typeof KEYWORDS)[number];

const LIST = new RegExp(`^// (${KEYWORDS.join("|")}): (.*)$`, "gm");
const HEAD = /^(?:\/\/.*\n)*/; // comments before the first line of code
const DECLARED = /^(?:fn|struct|const|alias|override|var<\w+>) (\w+)/gm;

/**
 * Reads the lists in the first comment of a WGSL file, lines such as `// reads: rowPtr u32, X T`. A list that is too
 * long for one line continues in another line with the same keyword.
 */
export function parseShader(name: string, text: string): ShaderFile {
  const lists = Object.fromEntries(KEYWORDS.map((keyword) => [keyword, [] as string[]])) as Record<Keyword, string[]>;
  const [head] = text.match(HEAD) as RegExpMatchArray;
  for (const [, keyword, items] of head.matchAll(LIST)) lists[keyword as Keyword].push(...split(items));
  const declare = (item: string): Declaration => {
    const [declared, type, ...more] = item.split(" ");
    if (!type || more.length > 0) throw new Error(`${name}.wgsl: "${item}" is not a name and a type`);
    return { name: declared, type };
  };
  return {
    name,
    text,
    enables: lists.enables,
    uses: lists.uses,
    requires: lists.requires.map((item) => item.replace(/\(.*/, "")),
    constants: lists.constants,
    params: lists.params.map(declare),
    bindings: [
      ...lists.writes.map((item) => ({ ...declare(item), writable: true })),
      ...lists.reads.map((item) => ({ ...declare(item), writable: false })),
    ],
    provides: new Set(Array.from(text.matchAll(DECLARED), (match) => match[1])),
  };
}

/** Splits at commas, except at those within a signature such as `termOf(row, e)`. */
function split(items: string): string[] {
  return items.split(/,\s*(?![^(]*\))/).map((item) => item.trim());
}
