import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { complaintAbout } from "./node-version.ts";

const { engines } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
const least = engines.node.replace(">=", "");

describe("complaintAbout", () => {
  test("names an older version and the least that package.json allows", () => {
    for (const old of ["18.20.1", "20.20.2", "22.9.0", "22.17.5"]) {
      expect(complaintAbout(old)).toContain(old);
      expect(complaintAbout(old)).toContain(`Node ${least} or newer`);
    }
  });

  test("is content with that version and newer ones", () => {
    for (const version of [`${least}.0`, "22.20.1", "24.0.0", "30.1.2"]) expect(complaintAbout(version)).toBeNull();
  });
});
