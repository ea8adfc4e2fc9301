import { resolve } from "node:path";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import type { Plugin } from "@suite/core";
import { type ForgetUserReport, forgetUser } from "@suite/core/forget";
import { printable } from "@suite/kit/text";
import { CliError } from "../errors.js";
import { pluginsIn } from "../project/plugins-in.js";
import { parse } from "./usage.js";

/** Runs `suite forget USER|- --setup FILE [--reference TEXT] [--json]`. Returns 1 if data of the user is left. */
export async function forgetCommand(args: readonly string[]): Promise<0 | 1> {
  const { last, has, rest } = parse(args, ["setup", "reference"], ["json"], 1);
  const [argument] = rest;
  const setup = last("setup");
  if (argument === undefined || setup === undefined) {
    throw new CliError(
      "ERR_CLI_OPTION",
      "Usage: suite forget USER --setup FILE. USER is a user id, or - to read it from standard input.",
    );
  }
  const user = argument === "-" ? (await text(process.stdin)).trim() : argument;
  if (user === "") throw new CliError("ERR_CLI_OPTION", "The id of the user is empty.");
  const plugins = await pluginsOf(setup);
  const report = await forgetUser(user, plugins, { reference: last("reference") });
  for (const plugin of plugins) await plugin.close?.();
  console.log(has("json") ? JSON.stringify(printed(report)) : table(report));
  return report.complete ? 0 : 1;
}

/** @throws CliError `ERR_CLI_SETUP` */
async function pluginsOf(file: string): Promise<readonly Plugin[]> {
  let module: Readonly<Record<string, unknown>>;
  try {
    module = (await import(pathToFileURL(resolve(file)).href)) as Readonly<Record<string, unknown>>;
  } catch (cause) {
    throw new CliError("ERR_CLI_SETUP", `${file} could not be imported: ${messageOf(cause)}`, { cause });
  }
  const plugins = pluginsIn(module);
  if (plugins.some(({ forgetUser: forget }) => forget !== undefined)) return plugins;
  const advice =
    "Export the plugins as `plugins`, with pii, memory, conversations, approvals or audit as your program configures them.";
  throw new CliError("ERR_CLI_SETUP", `${file} exports no plugin that stores data of users. ${advice}`);
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Converts the report to plain data. An error becomes its message. */
const printed = ({ plugins, ...report }: ForgetUserReport) => ({
  ...report,
  plugins: plugins.map((each) => ("error" in each ? { plugin: each.plugin, error: messageOf(each.error) } : each)),
});

function table({ plugins, notReached, runId, complete }: ForgetUserReport): string {
  const wide = Math.max(...plugins.map(({ plugin }) => plugin.length));
  const rows = plugins.map((each) => {
    const result = "error" in each ? `LEFT    ${messageOf(each.error)}` : `erased  ${each.count ?? ""}`;
    return printable(`${each.plugin.padEnd(wide)}  ${result}`).trimEnd();
  });
  return [
    ...rows,
    "",
    "Not reached by this command:",
    ...notReached.map((each) => `- ${each}`),
    "",
    `The proof is in the records of run ${runId}. They do not name the user.`,
    ...(complete ? [] : ["Some data of the user is left. Remove the cause, then run the command again."]),
  ].join("\n");
}
