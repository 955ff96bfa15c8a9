import { DataError } from "../../core/errors.ts";
import { quote } from "./printable.ts";

/** An element of XML. Names keep their prefixes. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: XmlElement[];
  /** The text between its tags, without that of its children. */
  text: string;
}

const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };
const NAME = "[\\p{L}_:][\\p{L}\\p{N}_:.-]*";
/** One piece of markup, or the text up to the next one. */
const PIECE = new RegExp(
  [
    "<!--[\\s\\S]*?-->",
    "<\\?[\\s\\S]*?\\?>",
    "<!\\[CDATA\\[(?<cdata>[\\s\\S]*?)\\]\\]>",
    `</(?<close>${NAME})\\s*>`,
    `<(?<open>${NAME})(?<attributes>(?:\\s+${NAME}\\s*=\\s*(?:"[^"<]*"|'[^'<]*'))*)\\s*(?<empty>/?)>`,
    "(?<text>[^<]+)",
  ].join("|"),
  "uy",
);
const ATTRIBUTE = new RegExp(`(${NAME})\\s*=\\s*(?:"([^"]*)"|'([^']*)')`, "gu");

/**
 * Parses a document of plain XML: elements, attributes, text, comments and CDATA. A document type is refused, because the
 * entities it may define can grow without bound and none of the formats read here needs one.
 */
export function parseXml(text: string, where: string): XmlElement {
  const root: XmlElement = { name: "", attributes: new Map(), children: [], text: "" };
  const open: XmlElement[] = [root];
  PIECE.lastIndex = 0;
  while (PIECE.lastIndex < text.length) {
    const at = PIECE.lastIndex;
    const fail = (message: string): never => {
      throw new DataError(`${where}: line ${lineOf(text, at)}: ${message}`);
    };
    if (text.startsWith("<!DOCTYPE", at)) fail("a document type is not read; remove it");
    const piece = PIECE.exec(text)?.groups ?? fail(`not XML at ${quote(text.slice(at, at + 40))}`);
    const inner = open[open.length - 1];
    if (piece["cdata"] !== undefined) inner.text += piece["cdata"];
    else if (piece["text"] !== undefined) inner.text += decoded(piece["text"], fail);
    else if (piece["close"] !== undefined) {
      if (inner.name !== piece["close"]) fail(`</${piece["close"]}> ends what <${inner.name}> began`);
      open.pop();
    } else if (piece["open"] !== undefined) {
      const attributes = attributesOf(piece["attributes"], fail);
      const element: XmlElement = { name: piece["open"], attributes, children: [], text: "" };
      inner.children.push(element);
      if (piece["empty"] === "") open.push(element);
    }
  }
  const { children } = root;
  if (open.length > 1) throw new DataError(`${where}: ends inside of <${open[open.length - 1].name}>; is it cut off?`);
  if (children.length !== 1 || root.text.trim() !== "") throw new DataError(`${where}: must hold one XML element`);
  return children[0];
}

function attributesOf(text: string, fail: (message: string) => never): Map<string, string> {
  const attributes = new Map<string, string>();
  for (const [, name, double, single] of text.matchAll(ATTRIBUTE)) {
    if (attributes.has(name)) fail(`attribute ${name} is there twice`);
    attributes.set(name, decoded(double ?? single, fail));
  }
  return attributes;
}

function decoded(text: string, fail: (message: string) => never): string {
  return text.replaceAll(/&([^;\s]{0,12};?)/g, (_, reference: string) => {
    const name = reference.endsWith(";") ? reference.slice(0, -1) : fail(`&${reference} must end in a semicolon`);
    if (Object.hasOwn(ENTITIES, name)) return ENTITIES[name];
    const hex = /^#x([\da-fA-F]{1,6})$/.exec(name)?.[1];
    const decimal = /^#(\d{1,7})$/.exec(name)?.[1];
    const point = hex !== undefined ? Number.parseInt(hex, 16) : Number(decimal ?? Number.NaN);
    return point <= 0x10ffff ? String.fromCodePoint(point) : fail(`unknown entity &${reference}`);
  });
}

function lineOf(text: string, at: number): number {
  return text.slice(0, at).split("\n").length;
}
