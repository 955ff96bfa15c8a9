/** Something that owns device memory. */
export interface Disposable {
  dispose(): void;
}

/** Innermost scope last. Empty outside any scope: then the caller disposes. */
const scopes: Set<Disposable>[] = [];

/** Called by everything that owns device memory when it is made. */
export function register(item: Disposable): void {
  scopes.at(-1)?.add(item);
}

/**
 * Runs one step and frees what it made, except what it returns: a tensor, or an array or a plain object of tensors. These
 * belong to the enclosing scope, if there is one. Steps are synchronous; read results after the scope, not inside.
 */
export function scope<T>(step: () => T): T {
  const made = new Set<Disposable>();
  scopes.push(made);
  let kept: Disposable[] = [];
  try {
    const result = step();
    kept = disposablesIn(result);
    return result;
  } finally {
    scopes.pop();
    for (const item of kept) if (made.delete(item)) register(item);
    for (const item of made) item.dispose();
  }
}

/** Takes an item out of every scope, so that it lives until it is disposed by hand. */
export function keep<T extends Disposable>(item: T): T {
  for (const made of scopes) made.delete(item);
  return item;
}

/** True if some scope will dispose `item`. */
export function isScoped(item: Disposable): boolean {
  return scopes.some((made) => made.has(item));
}

/** True if the innermost scope owns `item`, so that nobody outside can be using it. */
export function isLocal(item: Disposable): boolean {
  return scopes.at(-1)?.has(item) ?? false;
}

function disposablesIn(result: unknown): Disposable[] {
  if (isDisposable(result)) return [result];
  if (Array.isArray(result)) return result.flatMap(disposablesIn);
  if (result !== null && typeof result === "object" && Object.getPrototypeOf(result) === Object.prototype) {
    return Object.values(result).flatMap(disposablesIn);
  }
  return [];
}

function isDisposable(value: unknown): value is Disposable {
  return typeof value === "object" && value !== null && "dispose" in value && typeof value.dispose === "function";
}
