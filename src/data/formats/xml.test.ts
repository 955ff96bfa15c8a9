import { describe, expect, test } from "vitest";
import { parseXml } from "./xml.ts";

describe("parseXml", () => {
  test("reads elements, attributes, text, entities, comments and CDATA", () => {
    const root = parseXml(
      `<?xml version="1.0"?>\n<!-- first --><a k="1 &lt; 2" j='"'><b/>x &amp; y<c>&#65;&#x42;<![CDATA[<raw>]]></c ></a>`,
      "f.xml",
    );
    expect([root.name, [...root.attributes], root.text]).toEqual([
      "a",
      [
        ["k", "1 < 2"],
        ["j", '"'],
      ],
      "x & y",
    ]);
    expect(root.children.map(({ name, text }) => [name, text])).toEqual([
      ["b", ""],
      ["c", "AB<raw>"],
    ]);
  });
  test.each([
    ["an attribute twice", '<a k="1" k="2"/>', "f.xml: line 1: attribute k is there twice"],
    ["an attribute without quotes", "<a k=1/>", 'not XML at "<a k=1/>"'],
    ["an entity of its own", "<a>&boom;</a>", "unknown entity &boom;"],
    ["an entity without an end", "<a>&amp</a>", "must end in a semicolon"],
    ["a document type", '<!DOCTYPE a [<!ENTITY b "c">]><a/>', "a document type is not read"],
    ["tags in the wrong order, with its line", "<a>\n<b>\n</a></b>", "line 3: </a> ends what <b> began"],
    ["two roots", "<a/><b/>", "must hold one XML element"],
    ["nothing", "", "must hold one XML element"],
  ])("refuses %s", (_, text, message) => {
    expect(() => parseXml(text, "f.xml")).toThrow(message);
  });
  test("takes time in proportion to the text", () => {
    const many = `<a>${'<n id="1"><d k="2">3</d></n>'.repeat(50_000)}</a>`;
    expect(parseXml(many, "f.xml").children.length).toBe(50_000);
  });
});
