/** Options that make each attack quick on a small graph. */
export const quick: Record<string, Record<string, unknown>> = {
  prbcd: { blockSize: 30, epochs: 6, fineTuneEpochs: 2, samples: 4, polish: 2 },
  auto: { blockSize: 30, epochs: 6, rounds: 2 },
  grbcd: { blockSize: 30, epochs: 3 },
  pgd: { epochs: 4, samples: 5, tileSize: 64 },
  fgsm: { tileSize: 64 },
  eva: { epochs: 4, population: 6, offspring: 8, probes: 24 },
  dice: {},
};
