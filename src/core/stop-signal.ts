/**
 * Asks long work to stop: an `AbortSignal`, or any object whose `aborted` turns true. Work looks at it between steps and returns
 * what it has so far. (Not the type `AbortSignal` itself, which programs without the types of browsers or Node do not know.)
 */
export interface StopSignal {
  readonly aborted: boolean;
}
