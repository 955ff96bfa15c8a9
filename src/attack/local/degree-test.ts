import type { Csr } from "../../graph/csr.ts";

/** Degrees below this are left out of the power law. */
const MIN_DEGREE = 2;

/** How the likelihood of a power law is written: `minus` is the textbook's, `plus` that of Nettack's published code. */
export type LikelihoodSign = "plus" | "minus";

/** What the likelihood of a power law needs to know of the degrees of a graph. */
export interface DegreeSums {
  /** Nodes of at least {@link MIN_DEGREE}. */
  readonly count: number;
  /** Σ ln(degree) over these. */
  readonly logs: number;
}

export function degreeSums({ numRows, rowPtr }: Csr): DegreeSums {
  let sums: DegreeSums = { count: 0, logs: 0 };
  for (let v = 0; v < numRows; v++) sums = withDegree(sums, rowPtr[v + 1] - rowPtr[v], 1);
  return sums;
}

/**
 * Nettack's test of unnoticeability: a flip is refused if the degrees after it look drawn from another power law than those of
 * the clean graph, by the ratio of likelihoods with one exponent for both graphs and with one for each.
 */
export class DegreeTest {
  private readonly clean: DegreeSums;
  private current: DegreeSums;
  private readonly cutoff: number;
  private readonly sign: LikelihoodSign;

  constructor(clean: DegreeSums, cutoff: number, sign: LikelihoodSign) {
    this.clean = clean;
    this.current = clean;
    this.cutoff = cutoff;
    this.sign = sign;
  }

  /** Whether two nodes of these degrees may both gain (1) or lose (−1) a neighbour. */
  accepts(degrees: readonly [number, number], change: number): boolean {
    return this.statistic(this.after(degrees, change)) < this.cutoff;
  }

  /** Goes on from the graph after that. */
  follow(degrees: readonly [number, number], change: number): void {
    this.current = this.after(degrees, change);
  }

  private after(degrees: readonly [number, number], change: number): DegreeSums {
    let sums = this.current;
    for (const degree of degrees) sums = withDegree(withDegree(sums, degree, -1), degree + change, 1);
    return sums;
  }

  private statistic(next: DegreeSums): number {
    const { clean } = this;
    const both = { count: clean.count + next.count, logs: clean.logs + next.logs };
    return -2 * this.likelihood(both) + 2 * (this.likelihood(next) + this.likelihood(clean));
  }

  private likelihood({ count, logs }: DegreeSums): number {
    if (count === 0) return 0;
    const exponent = 1 + count / (logs - count * Math.log(MIN_DEGREE - 0.5));
    const tail = (exponent + 1) * logs;
    const head = count * Math.log(exponent) + count * exponent * Math.log(MIN_DEGREE);
    return this.sign === "plus" ? head + tail : head - tail;
  }
}

function withDegree({ count, logs }: DegreeSums, degree: number, times: number): DegreeSums {
  if (degree < MIN_DEGREE) return { count, logs };
  return { count: count + times, logs: logs + times * Math.log(degree) };
}
