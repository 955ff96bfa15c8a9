import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import ts from "typescript-5.5";

const root = join(import.meta.dirname, "../..");

/** The type declarations of the package as they are published, made from the present sources and read by a compiler. */
export interface Declarations {
  readonly checker: ts.TypeChecker;
  /** What each entry point exports, by name; `export … from` is followed to the declaration. */
  readonly entries: ReadonlyMap<string, ReadonlyMap<string, ts.Symbol>>;
}

/**
 * Reads the declarations of every entry point that package.json lists, `rgnn` first. An older TypeScript reads them because
 * the one that compiles the project is a native program without a stable interface for other programs.
 */
export function readDeclarations(): Declarations {
  const folder = mkdtempSync(join(tmpdir(), "rgnn-declarations-"));
  try {
    emitInto(folder);
    const files = entryPoints().map(({ name, types }) => ({ name, file: join(folder, types) }));
    const program = ts.createProgram(
      files.map(({ file }) => file),
      { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.NodeNext, strict: true, types: [] },
    );
    const checker = program.getTypeChecker();
    const entries = new Map(
      files.map(({ name, file }) => {
        const module = checker.getSymbolAtLocation(program.getSourceFile(file)!)!;
        return [name, exportsOf(checker, module)];
      }),
    );
    return { checker, entries };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function emitInto(folder: string): void {
  const compiler = join(root, "node_modules/typescript/bin/tsc");
  const options = ["-p", "tsconfig.build.json", "--emitDeclarationOnly", "--outDir", folder];
  const { status, stdout } = spawnSync(process.execPath, [compiler, ...options], { cwd: root, encoding: "utf8" });
  if (status !== 0) throw new Error(`the sources do not compile:\n${stdout}`);
}

function entryPoints(): { name: string; types: string }[] {
  const text = readFileSync(join(root, "package.json"), "utf8");
  const { name, exports } = JSON.parse(text) as { name: string; exports: Record<string, string | { types: string }> };
  return Object.entries(exports).flatMap(([path, target]) =>
    typeof target === "string" ? [] : [{ name: name + path.slice(1), types: target.types.replace("./dist/", "") }],
  );
}

function exportsOf(checker: ts.TypeChecker, module: ts.Symbol): ReadonlyMap<string, ts.Symbol> {
  const symbols = checker.getExportsOfModule(module).map((symbol): [string, ts.Symbol] => {
    const isAlias = (symbol.flags & ts.SymbolFlags.Alias) !== 0;
    return [symbol.name, isAlias ? checker.getAliasedSymbol(symbol) : symbol];
  });
  return new Map(symbols.sort(([a], [b]) => (a < b ? -1 : 1)));
}
