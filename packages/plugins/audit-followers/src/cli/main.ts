import { readFile } from "node:fs/promises";
import { AuditError } from "@suite/audit";
import { UsageError } from "@suite/audit/internal";
import { printable } from "@suite/kit/text";
import { AuditFollowersError } from "../errors.js";
import type { ExitCode } from "./exit-code.js";
import { followCommand } from "./follow.js";
import { followHelp, witnessHelp } from "./help.js";
import { witnessCommand } from "./witness.js";

const commands = {
  "suite-audit-follow": { run: followCommand, help: followHelp },
  "suite-audit-witness": { run: witnessCommand, help: witnessHelp },
} as const;

/** Runs a command with its arguments. */
export async function main(name: keyof typeof commands, args: readonly string[]): Promise<ExitCode> {
  const { run, help } = commands[name];
  if (args.some((arg) => arg === "--help" || arg === "-h")) {
    console.log(help);
    return 0;
  }
  if (args[0] === "--version") {
    console.log(await version());
    return 0;
  }
  try {
    return await run(args);
  } catch (error) {
    if (error instanceof UsageError) console.error(`${error.message}\n\n${help}`);
    else if (isExpected(error)) console.error(printable(error.message));
    else throw error;
    return 2;
  }
}

const isExpected = (error: unknown): error is Error =>
  AuditFollowersError.is(error) ||
  AuditError.is(error) ||
  typeof (error as NodeJS.ErrnoException | undefined)?.syscall === "string";

/** Returns the version of this package. */
async function version(): Promise<string> {
  const text = await readFile(new URL("../../package.json", import.meta.url), "utf8");
  return (JSON.parse(text) as { version: string }).version;
}
