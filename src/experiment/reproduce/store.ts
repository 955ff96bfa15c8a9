import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { type MeasuredValue, type Measurement, measurementKey } from "./measurement.ts";

/**
 * Results on disk, one JSON object per line. A value is there as soon as it is measured, so a run that is stopped goes on
 * where it was (rule D1); a last line that was cut short is left out.
 */
export class ResultStore {
  private readonly file: string;
  private readonly values = new Map<string, MeasuredValue>();

  constructor(file: string) {
    this.file = file;
    if (!existsSync(file)) return;
    for (const line of readFileSync(file, "utf8").split("\n")) {
      const entry = parseLine(line);
      if (entry) this.values.set(measurementKey(entry.measurement), entry.value);
    }
  }

  get(measurement: Measurement): MeasuredValue | undefined {
    return this.values.get(measurementKey(measurement));
  }

  put(measurement: Measurement, value: MeasuredValue): void {
    this.values.set(measurementKey(measurement), value);
    mkdirSync(dirname(this.file), { recursive: true });
    appendFileSync(this.file, `${JSON.stringify({ measurement, value })}\n`);
  }
}

function parseLine(line: string): { measurement: Measurement; value: MeasuredValue } | null {
  if (line === "") return null;
  try {
    const { measurement, value: stored } = JSON.parse(line);
    const { accuracy, value = accuracy, seconds } = stored; // its name when there was nothing else to measure
    return { measurement, value: { value, seconds } };
  } catch {
    return null;
  }
}
