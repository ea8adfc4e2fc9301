import { execFile } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import type { Finding } from "@suite/cli";

const cli = join(import.meta.dirname, "../../dist/cli.js");
const fixtures = join(import.meta.dirname, "../fixtures");

/** The row of the redactor with a set-up, and the exit code, as the built command gives them. */
const tried = (setup: string): Promise<{ readonly code: number; readonly row: Finding | undefined }> =>
  new Promise((resolve) => {
    const args = [cli, "doctor", "--json", "--setup", join(fixtures, setup)];
    const env = { ...process.env, OTEL_EXPORTER_OTLP_ENDPOINT: "" };
    execFile(process.execPath, args, { cwd: fixtures, env }, (error, stdout) => {
      const findings = JSON.parse(stdout) as readonly Finding[];
      resolve({ code: Number(error?.code ?? 0), row: findings.find(({ subject }) => subject === "redactor") });
    });
  });

describe("the redactor of a set-up", () => {
  it("that is among the plugins and at the exit reaches all that leaves", async () => {
    expect(await tried("guarded.mjs")).toMatchObject({
      code: 0,
      row: { state: "ok", found: expect.stringContaining("none arrived") },
    });
  });

  it("whose rules cover some types is told which arrive all the same", async () => {
    const { code, row } = await tried("emails-only.mjs");
    expect([code, row?.state]).toEqual([0, "note"]);
    expect(row?.found).toMatch(
      /cover \(email\) did not arrive.*credit_card, iban, phone, ip of prompt, answer, tool argument/,
    );
  });

  it("that is not at the exit misses the spans of other code", async () => {
    const { code, row } = await tried("no-exit.mjs");
    expect([code, row?.state]).toEqual([1, "wrong"]);
    expect(row?.found).toContain("of span of other code.");
    expect(row?.advice).toContain("setupTracing({ redactor");
  });

  it("is reported as missing for each place that leaks, and the run is not awaited", async () => {
    const { code, row } = await tried("bare.mjs");
    expect([code, row?.state]).toEqual([1, "wrong"]);
    expect(row?.found).toMatch(/prompt, answer, tool argument, tool result, error message, span of other code/);
  });

  it("is unknown if nothing arrives or the set-up cannot be loaded: the reason is reported without its text", async () => {
    expect((await tried("elsewhere.mjs")).row).toMatchObject({
      state: "wrong",
      found: expect.stringContaining("No span arrived"),
    });
    expect((await tried("broken.mjs")).row).toMatchObject({
      state: "wrong",
      found: "The set-up failed: ERR_MODULE_NOT_FOUND",
    });
  });
});
