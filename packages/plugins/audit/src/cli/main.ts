import { AuditError } from "../errors.js";
import { keygen } from "./keygen.js";
import { tail } from "./tail.js";
import { UsageError, usage } from "./usage.js";
import { verifyCommand } from "./verify.js";

/** 0: as it should be. 1: a problem in the log. 2: the question could not be asked so. */
export type ExitCode = 0 | 1 | 2;

const commands: Readonly<Record<string, (args: readonly string[]) => Promise<ExitCode>>> = {
  verify: verifyCommand,
  tail,
  keygen,
};

/** Runs `suite-audit` with these arguments. */
export async function main([name, ...args]: readonly string[]): Promise<ExitCode> {
  if (name === "--help" || name === "-h" || name === "help") {
    console.log(usage);
    return 0;
  }
  const command = name === undefined || !Object.hasOwn(commands, name) ? undefined : commands[name];
  try {
    if (!command) throw new UsageError(name === undefined ? "No command was given." : "There is no such command.");
    return await command(args);
  } catch (error) {
    if (error instanceof UsageError) console.error(`${error.message}\n\n${usage}`);
    else if (AuditError.is(error)) console.error(error.message);
    else if (typeof (error as NodeJS.ErrnoException).syscall === "string") console.error((error as Error).message);
    else throw error;
    return 2;
  }
}
