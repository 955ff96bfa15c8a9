import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from "yaml";
import { DataError } from "../../core/errors.ts";
import type { Json } from "../../core/options/index.ts";

/** A mistake in a YAML file. */
export class YamlError extends DataError {
  readonly line: number;
  /** Such as `models[1].dropout`; empty where the whole file is meant. */
  readonly key: string;

  constructor(message: string, line: number, key: string) {
    super(message);
    this.line = line;
    this.key = key;
  }
}

/** A value of a YAML file that knows its position, so that an error about it names line and key. */
export class YamlValue {
  /** Such as `models[1].dropout`; empty for the whole file. */
  readonly path: string;
  private readonly source: Source;
  private readonly node: Node | null;

  private constructor(source: Source, node: Node | null, path: string) {
    this.source = source;
    this.node = isAlias(node) ? (node.resolve(source.document) ?? null) : node;
    this.path = path;
  }

  /** Reads a file's text; throws if it is not YAML. */
  static parse(text: string, file: string): YamlValue {
    const lines = new LineCounter();
    const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
    const [error] = document.errors;
    if (error) {
      const { line } = lines.linePos(error.pos[0]);
      throw new YamlError(`${file}:${line}: ${error.message}`, line, "");
    }
    return new YamlValue({ file, document, lines }, document.contents, "");
  }

  get line(): number {
    return this.source.lines.linePos(this.node?.range?.[0] ?? 0).line || 1;
  }

  get json(): Json {
    return (this.node?.toJS(this.source.document) ?? null) as Json;
  }

  get isMap(): boolean {
    return isMap(this.node);
  }

  get isList(): boolean {
    return isSeq(this.node);
  }

  /** The value of every key; throws if this is not a map. */
  entries(): Map<string, YamlValue> {
    if (!isMap(this.node)) this.fail(`must be keys with values, got ${this.shown}`);
    return new Map(
      this.node.items.map(({ key, value }) => {
        const name = isScalar(key) ? String(key.value) : String(key);
        const place = this.path === "" ? name : `${this.path}.${name}`;
        const isEmpty = value === null || (isScalar(value) && value.value === null);
        const given = this.at((isEmpty ? key : value) as Node, place);
        return [name, isEmpty ? given.fail("has no value") : given];
      }),
    );
  }

  /** The items of a list; anything else counts as a list of one. */
  items(): YamlValue[] {
    if (!isSeq(this.node)) return [this];
    if (this.node.items.length === 0) this.fail("must not be an empty list");
    return this.node.items.map((item, k) => this.at(item as Node, `${this.path}[${k}]`));
  }

  /** Throws an error that names file, line and key, followed by what is wrong. */
  fail(problem: string): never {
    const message = `${this.source.file}:${this.line}: ${this.path} ${problem}`.replace(/ +/g, " ");
    throw new YamlError(message, this.line, this.path);
  }

  /** The value as messages show it. */
  get shown(): string {
    return this.node === null ? "nothing" : JSON.stringify(this.json);
  }

  private at(node: Node, path: string): YamlValue {
    return new YamlValue(this.source, node, path);
  }
}

interface Source {
  readonly file: string;
  readonly document: ReturnType<typeof parseDocument>;
  readonly lines: LineCounter;
}
