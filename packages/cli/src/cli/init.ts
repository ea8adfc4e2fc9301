import { relative, resolve } from "node:path";
import { createInterface } from "node:readline/promises";
import { printable } from "@suite/kit/text";
import { CliError } from "../errors.js";
import { byHand, type Candidate, type Change, candidatesIn, changeOf } from "../init/prepare.js";
import { createFile, replaceFile } from "../init/write.js";
import { type Project, projectOf } from "../project/manifest.js";
import { parse } from "./usage.js";

/** Runs `suite init [--file FILE] [--yes]`. Returns 1 if a change was found but not written. */
export async function initCommand(args: readonly string[]): Promise<0 | 1> {
  const { last, has } = parse(args, ["file"], ["yes"]);
  const file = last("file");
  const project = await projectOf(process.cwd());
  const candidates = await candidatesIn(project, file === undefined ? undefined : resolve(file));
  const candidate = await chosen(candidates, project, file);
  const change = await changeOf(project, candidate);
  if (change.writes.length === 0) {
    print(`${displayPath(project, candidate)} already has the plugins. Nothing to change.`);
    printInstall(change);
    return 0;
  }
  for (const line of change.diff.split("\n")) print(line);
  console.log();
  if (!has("yes") && !(await agreed())) {
    print("Nothing was written.");
    return 1;
  }
  for (const { path, text, isNew } of change.writes)
    await (isNew ? createFile(path, text) : replaceFile(path, candidate.code, text));
  print(`Written. Nothing was installed.`);
  printInstall(change);
  for (const line of change.notes.flatMap((each) => each.split("\n"))) print(line);
  print("To see its runs: npx @suite/viewer -- and the command that starts your program");
  return 0;
}

/** Makes lines of the user's files safe for a terminal. Tabs stay. */
const print = (line: string): void => console.log(line.split("\t").map(printable).join("\t"));

const displayPath = ({ folder }: Project, { path }: Candidate): string => relative(folder, path) || path;

function printInstall({ install }: Change): void {
  if (install !== undefined) print(`To install: ${install}`);
}

/** Returns the only place, or the one that the user chooses. @throws CliError `ERR_CLI_TARGET` */
async function chosen(candidates: readonly Candidate[], project: Project, file?: string): Promise<Candidate> {
  const [only] = candidates;
  if (only === undefined) {
    const prefix = file === undefined ? "No file here contains" : "The file does not contain";
    throw new CliError(
      "ERR_CLI_TARGET",
      `${prefix} code that creates an agent or a model client in a way this command can edit. ${byHand(project.manifest)}`,
    );
  }
  if (candidates.length === 1) return only;
  const list = candidates.map(
    (each, index) => `  ${index + 1}  ${displayPath(project, each)} (${each.target.framework})`,
  );
  if (!isTerminal())
    throw new CliError(
      "ERR_CLI_TARGET",
      `Several files can be changed. Choose one with --file:\n${list.map(printable).join("\n")}`,
    );
  for (const line of list) print(line);
  const answer = Number(await ask("Which one? "));
  const found = candidates[answer - 1];
  if (found === undefined) throw new CliError("ERR_CLI_TARGET", "Invalid choice. No file was changed.");
  return found;
}

const isTerminal = (): boolean => process.stdin.isTTY === true && process.stdout.isTTY === true;

/** Returns true if the user confirms. Without a terminal the answer is no. */
async function agreed(): Promise<boolean> {
  if (!isTerminal()) {
    print("Use --yes to write this without a question.");
    return false;
  }
  return /^y(?:es)?$/i.test((await ask("Write this? [y/N] ")).trim());
}

async function ask(question: string): Promise<string> {
  const reader = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return await reader.question(question);
  } finally {
    reader.close();
  }
}
