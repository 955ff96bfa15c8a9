import { codeFor } from "./code-of-cell.ts";
import type { CellDescription, CertificateDescription } from "./run-description.ts";

/** What is measured where a model is certified instead of attacked. */
export function certifiedCell(clean: CellDescription, certificate: CertificateDescription): CellDescription {
  return { ...clean, quantity: "certificate", certificate, code: codeFor({ ...clean, certificate }) };
}
