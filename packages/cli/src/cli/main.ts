import { readFile } from "node:fs/promises";
import { packageUrl } from "@suite/kit/package";
import { CliError } from "../errors.js";
import { doctorCommand } from "./doctor.js";
import { forgetCommand } from "./forget.js";
import { initCommand } from "./init.js";
import { help } from "./usage.js";

/** The exit code. 0: success. 1: something is wrong, or was not written. 2: invalid usage. */
export type ExitCode = 0 | 1 | 2;

const commands: Readonly<Record<string, (args: readonly string[]) => Promise<ExitCode>>> = {
  doctor: doctorCommand,
  forget: forgetCommand,
  init: initCommand,
};

/** Runs `suite` with these arguments. */
export async function main([name = "", ...args]: readonly string[]): Promise<ExitCode> {
  if ([name, ...args].some((arg) => ["--help", "-h", "help"].includes(arg))) {
    console.log(help);
    return 0;
  }
  if (name === "--version") {
    console.log(await version());
    return 0;
  }
  try {
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (command === undefined)
      throw new CliError("ERR_CLI_OPTION", `${name === "" ? "No" : "Unknown"} command. Commands:\n\n${help}`);
    return await command(args);
  } catch (error) {
    if (!CliError.is(error)) throw error;
    console.error(error.message);
    return 2;
  }
}

/** The version of this package. */
async function version(): Promise<string> {
  const text = await readFile(new URL("package.json", packageUrl(import.meta.url)), "utf8");
  return (JSON.parse(text) as { readonly version: string }).version;
}
