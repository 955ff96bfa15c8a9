import ts from "typescript-5.5";
import { type Declarations, readDeclarations } from "./declarations.ts";

/** Where the reports lie, and the command that writes them. */
export const REPORTS = "docs/api";
export const COMMAND = "npm run api";

/**
 * The public interface as text, one Markdown file per entry point: what it exports, with signatures, sorted by name. Comments
 * and what is private are left out, so that a report changes only if programs may notice.
 */
export function apiReports(declarations: Declarations = readDeclarations()): ReadonlyMap<string, string> {
  const [[root, rootExports], ...others] = declarations.entries;
  const reports = others.map(([entry, exports]): [string, string] => [
    fileOf(entry),
    page(entry, exports.size, codeBlock([...exports].map(([name, symbol]) => signature(declarations, name, symbol)))),
  ]);
  const chosen = others.map(([entry, exports]) => {
    const names = [...rootExports].filter(([name, symbol]) => exports.get(name) === symbol).map(([name]) => name);
    return `From [${entry}](${fileOf(entry)}): ${names.map((name) => `\`${name}\``).join(", ") || "nothing"}.\n`;
  });
  return new Map([[fileOf(root), page(root, rootExports.size, chosen.join("\n"))], ...reports]);
}

/** Names in public signatures that no entry point exports, with the declaration that names each. */
export function unexportedNames({ checker, entries }: Declarations): string[] {
  const exported = new Set([...entries.values()].flatMap((exports) => [...exports.values()]));
  const found = new Set<string>();
  for (const symbol of exported) {
    for (const declaration of shownDeclarations(symbol)) {
      for (const used of typesIn(checker, declaration)) {
        if (!exported.has(used) && isOurs(used)) found.add(`${used.name}, in ${symbol.name}`);
      }
    }
  }
  return [...found].sort();
}

/** Names of an entry point whose declaration has no doc comment. */
export function undocumentedNames({ checker, entries }: Declarations): string[] {
  return [...entries].flatMap(([entry, exports]) =>
    [...exports]
      .filter(([, symbol]) => symbol.getDocumentationComment(checker).length === 0)
      .map(([name]) => `${name} of ${entry}`),
  );
}

function fileOf(entry: string): string {
  return `${entry.replace("/", "-")}.md`;
}

function page(entry: string, count: number, content: string): string {
  return `# ${entry}\n\n${count} names. Written by \`${COMMAND}\`; do not edit.\n\n${content}`;
}

function codeBlock(lines: readonly string[]): string {
  return `\`\`\`ts\n${lines.join("\n\n")}\n\`\`\`\n`;
}

const FLAGS = ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.UseAliasDefinedOutsideCurrentScope;
const printer = ts.createPrinter({ removeComments: true });

/** An export without its comments. A type that is computed from others, such as that of options, is written out. */
function signature({ checker }: Declarations, name: string, symbol: ts.Symbol): string {
  const texts = shownDeclarations(symbol).map((declaration) => {
    if (isComputedType(declaration)) return `type ${name} = ${writtenOut(checker, declaration)};`;
    return printer
      .printNode(ts.EmitHint.Unspecified, declaration, declaration.getSourceFile())
      .replace(/^export declare |^export /, "")
      .replaceAll(/^ +private .*\n/gm, "");
  });
  return texts.join("\n");
}

/** The declarations of a symbol as statements: a constant is shown with its `const`. */
function shownDeclarations(symbol: ts.Symbol): ts.Declaration[] {
  return (symbol.declarations ?? []).map((declaration) =>
    ts.isVariableDeclaration(declaration) ? (declaration.parent.parent as ts.Node as ts.Declaration) : declaration,
  );
}

function isComputedType(declaration: ts.Declaration): declaration is ts.TypeAliasDeclaration {
  return (
    ts.isTypeAliasDeclaration(declaration) &&
    ts.isTypeReferenceNode(declaration.type) &&
    declaration.type.typeArguments?.some(ts.isTypeQueryNode) === true
  );
}

function writtenOut(checker: ts.TypeChecker, declaration: ts.TypeAliasDeclaration): string {
  const properties = checker.getPropertiesOfType(checker.getTypeAtLocation(declaration.name));
  const lines = properties.map((property) => {
    const type = checker.getTypeOfSymbol(property);
    const parts = type.isUnion() && type.aliasSymbol === undefined ? type.types : [type];
    const texts = parts.map((part) => checker.typeToString(part, declaration, FLAGS));
    return `    readonly ${property.name}: ${[...new Set(texts)].sort().join(" | ")};`; // unions are not ordered
  });
  return `{\n${lines.sort().join("\n")}\n}`;
}

/** The symbols that the types in a declaration name, except in private members. */
function typesIn(checker: ts.TypeChecker, declaration: ts.Declaration): ts.Symbol[] {
  const found: ts.Symbol[] = [];
  const visit = (node: ts.Node): void => {
    const isPrivate = ts.canHaveModifiers(node) && ts.getModifiers(node)?.some(isPrivateKeyword);
    if (isPrivate || isComputedType(node as ts.Declaration)) return;
    const name = ts.isTypeReferenceNode(node)
      ? node.typeName
      : ts.isExpressionWithTypeArguments(node)
        ? node.expression
        : undefined;
    const symbol = name && checker.getSymbolAtLocation(name);
    if (symbol) found.push(symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol);
    ts.forEachChild(node, visit);
  };
  visit(declaration);
  return found;
}

function isPrivateKeyword({ kind }: ts.Modifier): boolean {
  return kind === ts.SyntaxKind.PrivateKeyword;
}

/** False for type parameters and for what TypeScript itself declares. */
function isOurs(symbol: ts.Symbol): boolean {
  const isParameter = (symbol.flags & ts.SymbolFlags.TypeParameter) !== 0;
  return !isParameter && !symbol.declarations?.some((node) => /\/lib\.[^/]*d\.ts$/.test(node.getSourceFile().fileName));
}
