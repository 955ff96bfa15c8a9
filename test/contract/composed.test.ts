import { createReference } from "../../src/backend/reference/reference.ts";
import { createWasm } from "../../src/backend/wasm/wasm.ts";
import { backendSuite } from "./backend-suite.ts";
import { onlyCpu } from "./cpu-only.ts";

// Every derived kernel as `compose/` makes it, in float64 and on the CPU; the suites beside this run the fused ones.
backendSuite("composed reference", () => createReference({ fused: false }), { tolerance: 1e-9, skip: onlyCpu });
backendSuite("composed wasm", () => createWasm({ threads: 2, fused: false }), { skip: onlyCpu });
