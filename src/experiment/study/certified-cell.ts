import { codeFor } from "./code-of-cell.ts";
import type { CellDescription, CertificateDescription } from "./run-description.ts";

/** The cell for certifying a model instead of attacking it. */
export function certifiedCell(clean: CellDescription, certificate: CertificateDescription): CellDescription {
  return { ...clean, quantity: "certificate", certificate, code: codeFor({ ...clean, certificate }) };
}
