import { accessSync, appendFileSync, constants, existsSync, mkdirSync, readFileSync, truncateSync } from "node:fs";
import { dirname } from "node:path";
import { check, DataError, DeviceError, UserError } from "../../core/errors.ts";
import { type MeasuredValue, type Measurement, measurementKey } from "./measurement.ts";

/**
 * Results on disk, one JSON object per line. A value is there as soon as it is measured, so a run that is stopped goes on
 * where it was (rule D1); a last line that was cut short is left out, and cut off before the next is written.
 */
export class ResultStore {
  private readonly file: string;
  private readonly values = new Map<string, MeasuredValue>();
  /** Length of the lines that are whole; null where the file has nothing else. */
  private whole: number | null = null;

  constructor(file: string) {
    this.file = file;
    if (!existsSync(file)) return;
    const text = read(file);
    const end = text.lastIndexOf("\n") + 1;
    if (end < text.length) this.whole = Buffer.byteLength(text.slice(0, end));
    for (const [k, line] of text.slice(0, end).split("\n").slice(0, -1).entries()) {
      const entry = parseLine(line);
      check(entry !== null, () => `${file}: line ${k + 1} is no result; name another file with --store`, DataError);
      this.values.set(measurementKey(entry.measurement), entry.value);
    }
  }

  /** Throws unless results can be put here: for runs that measure for hours before they have one. Makes its folder. */
  checkWritable(): void {
    try {
      mkdirSync(dirname(this.file), { recursive: true });
      accessSync(existsSync(this.file) ? this.file : dirname(this.file), constants.W_OK);
    } catch (error) {
      throw notWritable(this.file, error);
    }
  }

  get(measurement: Measurement): MeasuredValue | undefined {
    return this.values.get(measurementKey(measurement));
  }

  put(measurement: Measurement, value: MeasuredValue): void {
    this.values.set(measurementKey(measurement), value);
    try {
      mkdirSync(dirname(this.file), { recursive: true });
      if (this.whole !== null) truncateSync(this.file, this.whole);
      this.whole = null;
      appendFileSync(this.file, `${JSON.stringify({ measurement, value })}\n`);
    } catch (error) {
      throw notWritable(this.file, error);
    }
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new UserError(`${file}: cannot be read (${codeOf(error)}); name a file with --store`);
  }
}

/** A full disk is nobody's mistake: what was measured before is there, and the same command goes on. */
function notWritable(file: string, error: unknown): Error {
  const code = codeOf(error);
  if (code === "ENOSPC" || code === "EDQUOT") {
    return new DeviceError(
      `${file}: the disk is full (${code}); make room, then run the command again: it goes on from here`,
    );
  }
  return new UserError(`${file}: cannot be written (${code}); name another file with --store`);
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}

function parseLine(line: string): { measurement: Measurement; value: MeasuredValue } | null {
  try {
    const { measurement, value: stored } = JSON.parse(line);
    const { accuracy, value = accuracy, ...rest } = stored; // its name when there was nothing else to measure
    const isResult = typeof measurement?.dataset === "string" && typeof value === "number";
    return isResult ? { measurement, value: { value, ...rest } } : null;
  } catch {
    return null;
  }
}
