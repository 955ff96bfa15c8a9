import ts from "typescript-5.5";
import type { Declarations } from "./declarations.ts";

/** The `@example` of a doc comment. */
export interface DocExample {
  /** The export that it is an example of. */
  readonly name: string;
  readonly code: string;
}

/** The examples in the doc comments of all exports. */
export function docExamples({ checker, entries }: Declarations): DocExample[] {
  const symbols = new Set([...entries.values()].flatMap((exports) => [...exports.values()]));
  return [...symbols].flatMap((symbol) =>
    symbol
      .getJsDocTags(checker)
      .filter((tag) => tag.name === "example")
      .map((tag) => ({ name: symbol.name, code: ts.displayPartsToString(tag.text) })),
  );
}

/**
 * An example as a module of a user: it imports the names that the package exports, and declares those in `given`, with
 * the types that stand there.
 */
export function exampleModule(
  { entries }: Declarations,
  { code }: DocExample,
  given: Readonly<Record<string, string>>,
): string {
  const source = ts.createSourceFile("example.ts", code, ts.ScriptTarget.ES2022);
  const { used, declared } = namesIn(source);
  const known = [...used].filter((name) => name in given && !declared.has(name));
  const types = namesIn(
    ts.createSourceFile("types.ts", known.map((name) => given[name]).join("\n"), ts.ScriptTarget.ES2022),
  );
  const wanted = new Set([...used, ...types.used].filter((name) => !declared.has(name) && !known.includes(name)));
  const imports = [...entries].reverse().map(([entry, exports]) => {
    const names = [...wanted].filter((name) => exports.has(name));
    for (const name of names) wanted.delete(name);
    return names.length > 0 ? `import { ${names.join(", ")} } from "${entry}";\n` : "";
  });
  const constants = known.map((name) => `declare const ${name}: ${given[name]};\n`);
  return `${imports.join("")}${constants.join("")}${code}\nexport {};\n`;
}

/** Every name that a source reads, and those that it declares itself. */
function namesIn(source: ts.SourceFile): { used: ReadonlySet<string>; declared: ReadonlySet<string> } {
  const used = new Set<string>();
  const declared = new Set<string>();
  const visit = (node: ts.Node, parent: ts.Node): void => {
    const isMember = ts.isPropertyAccessExpression(parent) && parent.name === node;
    const isKey = ts.isPropertyAssignment(parent) && parent.name === node;
    if (ts.isIdentifier(node) && !isMember && !isKey) {
      if (declares(parent) && parent.name === node) declared.add(node.text);
      else used.add(node.text);
    }
    ts.forEachChild(node, (child) => visit(child, node));
  };
  visit(source, source);
  return { used, declared };
}

function declares(node: ts.Node): node is ts.NamedDeclaration {
  return (
    ts.isVariableDeclaration(node) ||
    ts.isBindingElement(node) ||
    ts.isFunctionDeclaration(node) ||
    ts.isParameter(node) ||
    ts.isTypeAliasDeclaration(node)
  );
}
