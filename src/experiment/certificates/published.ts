/** Accumulated certificates and accuracies as published (table of certified robustness, appendix), without errors there. */
export const published: Readonly<Record<string, Readonly<Record<string, PublishedCertificates>>>> = {
  cora_ml: {
    gcn: { both: 1.84, add: 0.21, delete: 4.41, accuracy: 0.823 },
    "soft-medoid-gdc": { both: 5.5, add: 0.64, delete: 4.78, accuracy: 0.814 },
    "soft-median-gdc": { both: 5.7, add: 0.66, delete: 4.9, accuracy: 0.833 },
  },
  citeseer: {
    gcn: { both: 1.24, add: 0.11, delete: 3.88, accuracy: 0.71 },
    "soft-medoid-gdc": { both: 3.64, add: 0.49, delete: 4.33, accuracy: 0.705 },
    "soft-median-gdc": { both: 4.43, add: 0.57, delete: 4.31, accuracy: 0.728 },
  },
};

/** The published row of a model: one number for each setting of the noise. */
export interface PublishedCertificates {
  readonly both: number;
  readonly add: number;
  readonly delete: number;
  readonly accuracy: number;
}
