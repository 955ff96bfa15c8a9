import { swiftShader } from "./swiftshader.ts";

/**
 * Environment variables with which tests find a GPU, or the reason why there is none. It is SwiftShader, a program, or the GPU of this
 * machine with `RGNN_TEST_GPU=1`.
 */
export function testGpu(): { env: Record<string, string> } | { reason: string } {
  return process.env["RGNN_TEST_GPU"] ? { env: {} } : swiftShader();
}
