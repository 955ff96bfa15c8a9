/** Something that owns device memory. */
export interface Disposable {
  dispose(): void;
  /** Items that go with it: returning it from a scope, or keeping it, does the same to these. @internal */
  readonly parts?: readonly Disposable[];
  /** Called before it leaves its scope, with all items that leave: computes those that are still pending. @internal */
  settle?(others: readonly Disposable[]): void;
}

/** Innermost scope last. Empty outside any scope: then the caller disposes. */
const scopes: Set<Disposable>[] = [];

/** Adds an item to the innermost scope. Everything that owns device memory calls this when it is made. */
export function register(item: Disposable): void {
  scopes.at(-1)?.add(item);
}

/** True inside a scope. Outside, everything lives until it is disposed by hand. */
export function isInScope(): boolean {
  return scopes.length > 0;
}

/**
 * Runs one step and frees what it made, except what it returns: a tensor or matrix, or an array or a plain object of them.
 * These belong to the enclosing scope, if there is one. Steps are synchronous; read results after the scope, not inside.
 *
 * @example
 * const H = scope(() => relu(matmul(X, W))); // X·W is freed, H stays
 */
export function scope<T>(step: () => T): T {
  const made = new Set<Disposable>();
  scopes.push(made);
  let kept: Disposable[] = [];
  try {
    const result = step();
    kept = disposablesIn(result);
    for (const item of kept) item.settle?.(kept);
    return result;
  } finally {
    scopes.pop();
    for (const item of kept) if (made.delete(item)) register(item);
    for (const item of made) item.dispose();
  }
}

/** Takes an item out of every scope, so that it lives until it is disposed by hand. */
export function keep<T extends Disposable>(item: T): T {
  item.settle?.([item]);
  for (const part of withParts(item)) for (const made of scopes) made.delete(part);
  return item;
}

/** Runs `work` as if the scope that owns `item` were the innermost one, so that what it makes lives as long as `item`. */
export function inScopeOf(item: Disposable, work: () => void): void {
  const depth = scopes.findLastIndex((made) => made.has(item));
  if (depth < 0 || depth === scopes.length - 1) {
    work();
    return;
  }
  const inner = scopes.splice(depth + 1);
  try {
    work();
  } finally {
    scopes.push(...inner);
  }
}

/** True if no scope owns `item`: it outlives the step that is running. */
export function isLasting(item: Disposable): boolean {
  return !scopes.some((made) => made.has(item));
}

/** True if the innermost scope owns `item`, so that nobody outside can be using it. */
export function isLocal(item: Disposable): boolean {
  return scopes.at(-1)?.has(item) ?? false;
}

function disposablesIn(result: unknown): Disposable[] {
  if (isDisposable(result)) return withParts(result);
  if (Array.isArray(result)) return result.flatMap(disposablesIn);
  if (result !== null && typeof result === "object" && Object.getPrototypeOf(result) === Object.prototype) {
    return Object.values(result).flatMap(disposablesIn);
  }
  return [];
}

function withParts(item: Disposable): Disposable[] {
  return [item, ...(item.parts ?? []).flatMap(withParts)];
}

function isDisposable(value: unknown): value is Disposable {
  return typeof value === "object" && value !== null && "dispose" in value && typeof value.dispose === "function";
}
