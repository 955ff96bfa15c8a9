/**
 * Remembers the best epoch by validation loss. An epoch is better if its loss is strictly lower; training stops once
 * `patience` epochs have passed without a better one.
 */
export class EarlyStopping {
  bestEpoch = 0;
  bestLoss = Number.POSITIVE_INFINITY;
  private readonly patience: number;

  constructor(patience: number) {
    this.patience = patience;
  }

  isBest(epoch: number, loss: number): boolean {
    if (!(loss < this.bestLoss)) return false;
    this.bestLoss = loss;
    this.bestEpoch = epoch;
    return true;
  }

  isOver(epoch: number): boolean {
    return epoch >= this.bestEpoch + this.patience;
  }
}
