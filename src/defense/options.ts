import { realNumber } from "../core/options/index.ts";

/** T of a robust aggregation. */
export const temperatureOption = realNumber({
  above: 0,
  default: 0.5,
  help: "T of the robust aggregation: low is robust, high is accurate",
});
