import { createWasm } from "../../src/backend/wasm/wasm.ts";
import { backendSuite } from "./backend-suite.ts";

backendSuite("wasm, one thread", () => createWasm({ threads: 1 }));
backendSuite("wasm, two threads", () => createWasm({ threads: 2 }));
backendSuite("wasm, three threads", () => createWasm({ threads: 3 }));
backendSuite("wasm, without relaxed SIMD", () => createWasm({ threads: 2, relaxedSimd: false }));
