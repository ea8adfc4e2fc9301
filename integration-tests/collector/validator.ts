import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it } from "@jest/globals";
import { root } from "../../scripts/workspaces.mjs";

const validator = join(root, "../shared/semconv/validate.mjs");
const isThere = existsSync(validator) || process.env.CI !== undefined;
if (!isThere) console.warn("skipped: no ../shared/semconv/validate.mjs beside this repository");

/** Tests that need the validator. */
export const itValidates = isThere ? it : it.skip;

/** `error.type` is an open list of `_OTHER` alone: what else is an error's code, or its class, is a program's own. */
const ownErrors = ["AbortError", "Error", "RangeError", "AI_APICallError", "E_BROKEN"];
/** The words of the fake server's error bodies, which are those of OpenAI and Anthropic. */
const ofProviders = ["invalid_request_error", "server_error", "api_error", "overloaded_error", "rate_limit_exceeded"];
const allowed = [...ownErrors, ...ofProviders].map((type) => `error.type=${type}`);

/**
 * Validates these requests, in OTLP as JSON, and gives their number of spans when none of them violates the GenAI
 * conventions, and nothing is noticed that these leave open.
 *
 * @param more values that attributes with an open list may have, as `attribute=value`.
 * @throws Error with what the validator found.
 */
export function validate(bodies: readonly string[], more: readonly string[] = []): number {
  const folder = mkdtempSync(join(tmpdir(), "validate-"));
  try {
    const file = join(folder, "spans.jsonl");
    writeFileSync(file, bodies.join("\n"));
    const strict = [
      "--strict",
      "--current",
      "--all-spans",
      ...[...allowed, ...more].flatMap((value) => ["--allow-value", value]),
    ];
    const { stdout: output } = spawnSync(process.execPath, [validator, ...strict, file], { encoding: "utf8" });
    const [, checked] = /spans checked (\d+), violations 0\n$/.exec(output) ?? [];
    if (checked === undefined) throw new Error(output);
    return Number(checked);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
