import { diagnose } from "../doctor/diagnose.js";
import type { Finding } from "../doctor/finding.js";
import { parse } from "./usage.js";

/** Runs `suite doctor [--audit DIR] [--setup FILE] [--json]`. Returns 1 if something is wrong. */
export async function doctorCommand(args: readonly string[]): Promise<0 | 1> {
  const { last, has } = parse(args, ["audit", "setup"], ["json"]);
  const [audit, setup] = [last("audit"), last("setup")];
  const findings = await diagnose({ ...(audit !== undefined && { audit }), ...(setup !== undefined && { setup }) });
  console.log(has("json") ? JSON.stringify(findings) : table(findings));
  return findings.some(({ state }) => state === "wrong") ? 1 : 0;
}

const marks = { ok: "ok", note: "note", wrong: "WRONG" } as const;

/** Formats the findings as a table: one row each, followed by the advice. */
function table(findings: readonly Finding[]): string {
  const wide = Math.max(...findings.map(({ subject }) => subject.length));
  const rows = findings.flatMap(({ state, subject, found, advice }) => [
    `${marks[state].padEnd(5)}  ${subject.padEnd(wide)}  ${found}`,
    ...(advice === undefined ? [] : [`${" ".repeat(wide + 9)}-> ${advice}`]),
  ]);
  const bad = findings.filter(({ state }) => state === "wrong").length;
  return [...rows, "", bad === 0 ? "Nothing is wrong." : `${bad} wrong.`].join("\n");
}
