import { readFile } from "node:fs/promises";
import { packageUrl } from "@suite/kit/package";
import { printable } from "@suite/kit/text";
import { AuditError } from "../errors.js";
import { anchorCommand } from "./anchor.js";
import { checkProof } from "./check-proof.js";
import { erase } from "./erase.js";
import type { ExitCode } from "./exit-code.js";
import { exportCommand } from "./export.js";
import { help, overview } from "./help.js";
import { keygen } from "./keygen.js";
import { prove } from "./prove.js";
import { query } from "./query.js";
import { retainCommand } from "./retain.js";
import { tail } from "./tail.js";
import { UsageError } from "./usage.js";
import { verifierKey } from "./verifier-key.js";
import { verifyCommand } from "./verify.js";

const commands: Readonly<Record<string, (args: readonly string[]) => Promise<ExitCode>>> = {
  verify: verifyCommand,
  query,
  tail,
  anchor: anchorCommand,
  prove,
  "check-proof": checkProof,
  export: exportCommand,
  keygen,
  "verifier-key": verifierKey,
  erase,
  retain: retainCommand,
};

/** Commands of another package. */
const moved: readonly string[] = ["follow", "witness"];

const unknown = (name: string): string => {
  if (name === "") return "A command is required.";
  if (!moved.includes(name)) return "Unknown command.";
  return `${name} is a command of @suite/audit-followers: npx -p @suite/audit-followers suite-audit-${name}.`;
};

/** Returns the version of this package. */
async function version(): Promise<string> {
  const text = await readFile(new URL("package.json", packageUrl(import.meta.url)), "utf8");
  return (JSON.parse(text) as { version: string }).version;
}

/** Runs `suite-audit` with the arguments. */
export async function main([name = "", ...args]: readonly string[]): Promise<ExitCode> {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (["--help", "-h", "help"].includes(name) || (command && args.some((arg) => arg === "--help" || arg === "-h"))) {
    console.log(command ? help[name] : overview);
    return 0;
  }
  if (name === "--version") {
    console.log(await version());
    return 0;
  }
  try {
    if (!command) throw new UsageError(unknown(name));
    return await command(args);
  } catch (error) {
    // The reader of a pipe has closed it, as `| head` does.
    if ((error as NodeJS.ErrnoException).code === "EPIPE") return 0;
    if (error instanceof UsageError) console.error(`${error.message}\n\n${help[name] ?? overview}`);
    else if (AuditError.is(error)) console.error(printable(error.message));
    else if (typeof (error as NodeJS.ErrnoException).syscall === "string")
      console.error(printable((error as Error).message));
    else throw error;
    return 2;
  }
}
