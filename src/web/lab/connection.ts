import type { LabCall, LabRequest, LabResult } from "rgnn/lab";

/** How far a call is. */
export interface LabProgress {
  readonly done: number;
  readonly total: number;
  readonly note: string;
}

export interface CallOptions {
  readonly progress?: (progress: LabProgress) => void;
  readonly signal?: AbortSignal;
}

/** A lab, wherever it computes: behind the server, or in a worker of the page. */
export interface LabConnection {
  call<Name extends LabCall>(name: Name, request: LabRequest<Name>, options?: CallOptions): Promise<LabResult<Name>>;
}

/** A call that the user ended. */
export class Cancelled extends Error {}
