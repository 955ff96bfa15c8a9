import type { Flips } from "../../graph/flips.ts";
import { type Block, type GraphView, IntTensor, keep, type Tensor } from "../../tensor/index.ts";
import { allocPairs, blockOfFlips, type CandidateBlock, flippedBlock } from "../block.ts";
import { ascending } from "../choose-flips.ts";
import type { GrowingFlips } from "./growing-flips.ts";

/**
 * Flips that the host reads only at the end. Each is marked with the step that made it; the flips it starts from have
 * mark 0.
 */
export class FlipsOnDevice implements GrowingFlips {
  private readonly view: GraphView;
  private made: CandidateBlock;
  private marks: IntTensor;
  private steps = 0;

  constructor(view: GraphView, from: Flips) {
    this.view = view;
    this.made = blockOfFlips(view, ascending(from));
    this.marks = keep(IntTensor.from(view.backend, new Int32Array(from.sources.length)));
  }

  get block(): Block {
    return this.made;
  }

  offer(): void {} // `addLargest` leaves out flips that are made

  async add({ pairs: from }: CandidateBlock, values: Tensor, count: number): Promise<boolean> {
    const { backend } = this.view;
    const made = this.made.pairs;
    const next = allocPairs(this.view, made.length + count);
    const nextMarks = keep(new IntTensor(backend, backend.alloc("i32", next.length)));
    this.steps++;
    backend.addLargest({
      next,
      nextMarks: nextMarks.buffer,
      made,
      marks: this.marks.buffer,
      from,
      values: values.buffer,
      mark: this.steps,
    });
    this.dispose();
    this.made = flippedBlock(this.view, next);
    this.marks = nextMarks;
    return true;
  }

  async after(steps: number): Promise<Flips> {
    const { sources, targets } = this.made.pairs;
    const { backend } = this.view;
    const marks = await this.marks.read();
    const isMade = (_: number, k: number) => marks[k] <= steps;
    return {
      sources: ((await backend.read(sources)) as Int32Array).filter(isMade),
      targets: ((await backend.read(targets)) as Int32Array).filter(isMade),
    };
  }

  dispose(): void {
    this.made.dispose();
    this.marks.dispose();
  }
}
