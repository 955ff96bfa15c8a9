import { swiftShader } from "./swiftshader.ts";

/** Runs before the test processes start: they inherit the environment in which Dawn finds SwiftShader. */
export default function setup(): void {
  const found = swiftShader();
  if ("env" in found) Object.assign(process.env, found.env);
}
