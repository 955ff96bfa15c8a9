import type { Backend, Buffer } from "../backend/backend.ts";
import { check } from "../core/errors.ts";
import { register } from "./scope.ts";

/** A vector of indices on a device: labels, node sets, classes. */
export class IntTensor {
  readonly backend: Backend;
  readonly length: number;
  private storage: Buffer | null;

  constructor(backend: Backend, buffer: Buffer) {
    this.backend = backend;
    this.length = buffer.length;
    this.storage = buffer;
    register(this);
  }

  static from(backend: Backend, values: ArrayLike<number>): IntTensor {
    return new IntTensor(backend, backend.upload(Int32Array.from(values)));
  }

  get buffer(): Buffer {
    check(
      this.storage !== null,
      () => `index vector of length ${this.length} was disposed; keep it out of the scope that ended`,
    );
    return this.storage;
  }

  async read(): Promise<Int32Array> {
    return (await this.backend.read(this.buffer)) as Int32Array;
  }

  dispose(): void {
    if (this.storage) this.backend.free(this.storage);
    this.storage = null;
  }
}
