import {
  type CallId,
  definePlugin,
  type Plugin,
  type Redactor,
  type RuntimeContext,
  signalOf,
  stateKey,
  type Tool,
} from "@suite/core";
import { isObject } from "@suite/kit";
import { type Check, count, flag, listOf, oneOf, name as text, time } from "@suite/kit/options";
import { ToolsError } from "./errors.js";
import { checkOptions, invalid } from "./options.js";
import { choosePolicy, type PolicyOptions } from "./shell/policies/choose.js";
import type { Policy } from "./shell/policies/policy.js";
import { type CommandOutcome, Session } from "./shell/session.js";
import { Sessions } from "./shell/sessions.js";

/** The options of `shell`. */
export interface ShellOptions extends PolicyOptions {
  /** The policy. Default: the safest available one of `sandbox`, `container` and `host`. */
  readonly policy?: "sandbox" | "container" | "host";
  /** The working directory. Default: a new one per session, removed when it ends. */
  readonly workspace?: string;
  /**
   * Environment variables of the shell, in addition to `HOME` (the workspace), `PATH`, `LANG` and `TERM`. Other
   * variables of this process are not passed.
   */
  readonly environment?: Readonly<Record<string, string>>;
  /** The time limit of one command in milliseconds. Default: 60,000. */
  readonly timeout?: number;
  /** The maximum number of lines in one result. Default: 1,000. */
  readonly maxLines?: number;
  /** The maximum number of characters in one result. Default: 30,000. */
  readonly maxCharacters?: number;
  /** Redacts all output before it is used: `pii(…).redactor`. */
  readonly redactor?: Redactor;
  /** Commands that run when a session starts. If one fails, the call fails. */
  readonly startup?: readonly string[];
  /** Commands that run when a session ends, with a limit of 5 s each. */
  readonly shutdown?: readonly string[];
  /** The time that the session of a suspended run is kept, in milliseconds. Default: half an hour. */
  readonly keepSuspended?: number;
  /** The name of the tool. Default: `shell`. */
  readonly toolName?: string;
  /** The description of the tool. Information about where commands run is appended. */
  readonly description?: string;
  /** The name on spans and in records. Default: `shell`. */
  readonly name?: string;
}

const parameters = {
  type: "object",
  properties: {
    command: { type: "string", description: "A command for bash, of any number of lines." },
    restart: { type: "boolean", description: "True, without a command: restarts the shell." },
  },
  additionalProperties: false,
} as const;

const defaultDescription =
  "Runs a command in a persistent shell: folder, variables and functions are kept for the next command. Commands have no input and no terminal.";
const neither = "Nothing was run: pass a command, which is a non-empty string, or restart: true.";
const both = "Nothing was run: pass either a command or restart: true, not both.";
const tooLong = "Nothing was run: a command has at most 100,000 characters and no null characters.";
const lost = "(This is a new shell: variables and functions of the previous shell are lost.)\n";

const variables: Check = (value) =>
  isObject(value) && Object.entries(value).every(([name, each]) => /^[A-Za-z_]\w*$/.test(name) && isText(each))
    ? undefined
    : "an object of variables with string values";
const isText = (value: unknown): boolean => typeof value === "string" && !value.includes("\0");
const anObject: Check = (value) => (isObject(value) ? undefined : "an object");

const checks = {
  policy: oneOf("sandbox", "container", "host"),
  workspace: text,
  environment: variables,
  timeout: time,
  maxLines: count,
  maxCharacters: count,
  redactor: anObject,
  startup: listOf(text),
  shutdown: listOf(text),
  keepSuspended: time,
  toolName: text,
  description: text,
  name: text,
  sandbox: anObject,
  container: anObject,
};

const paths: Check = (value) =>
  Array.isArray(value) && value.every((path) => text(path) === undefined) ? undefined : "a list of paths";
const sandboxChecks = { network: flag, readable: paths, memory: count, processes: count, fileSize: count };
const containerChecks = { engine: oneOf("docker", "podman"), image: text, network: flag, memory: count };

/**
 * Gives the model a shell: one bash per run, kept during a suspension, in a sandbox if available. The time and output
 * of each command are limited. When the run ends, all its processes are killed.
 *
 * @throws {ToolsError} `ERR_TOOLS_OPTION`
 * @example
 * ```ts
 * createAgent({ plugins: [shell({ policy: "sandbox", workspace: "/srv/work" })], … });
 * ```
 */
export function shell(options: ShellOptions = {}): Plugin {
  options = checkOptions("shell", options, checks);
  const { sandbox, container } = options;
  if (sandbox !== undefined) checkOptions("shell({ sandbox })", sandbox, sandboxChecks);
  if (container !== undefined) checkOptions("shell({ container })", container, containerChecks);
  const { timeout = 60_000, maxLines = 1000, maxCharacters = 30_000, keepSuspended = 1_800_000, redactor } = options;
  const { environment = {}, startup = [], shutdown = [], workspace, name = "shell", toolName = "shell" } = options;
  if (redactor !== undefined && typeof redactor.redact !== "function") {
    throw invalid("The option redactor of shell() must be a redactor: an object with a function redact.");
  }
  const sessions = new Sessions();
  const bounds = { maxLines, maxCharacters };
  // True if the model expects the run to have a shell.
  const begunKey = stateKey(`${name}.begun`, () => false, { save: (begun) => begun, load: Boolean });
  let chosen: Promise<Policy> | undefined;
  const policyOf = (): Promise<Policy> => {
    chosen ??= choosePolicy(options).catch((error: unknown) => {
      chosen = undefined; // it may be available next time
      throw error;
    });
    return chosen;
  };

  const started = async (runtime: RuntimeContext, call: CallId, signal: AbortSignal): Promise<Session> => {
    const policy = await policyOf();
    const session = await Session.start({ policy, workspace, environment });
    for (const command of startup) {
      const { code } = await session.run(command, timeout, bounds, signal);
      if (code === 0) continue;
      session.kill();
      signal.throwIfAborted();
      throw new ToolsError("ERR_TOOLS_SHELL", "A startup command of shell() has failed.");
    }
    const details = { policy: policy.name };
    runtime.notify({ type: "decision", plugin: name, decision: "started", enforced: true, call, details });
    return session;
  };

  const run = async (command: string, runtime: RuntimeContext, call: CallId): Promise<string> => {
    const signal = signalOf(call) ?? runtime.signal;
    const shell = sessions.of(runtime.runId);
    return shell.inTurn(async () => {
      signal.throwIfAborted();
      const isNew = shell.session?.open !== true;
      if (isNew) shell.session = await started(runtime, call, signal);
      const { session } = shell;
      if (session === undefined || !sessions.has(runtime.runId)) {
        session?.kill(); // the run has ended meanwhile
        throw signal.reason;
      }
      const before = isNew && runtime.get(begunKey) ? lost : "";
      const outcome = await session.run(command, timeout, bounds, signal);
      signal.throwIfAborted();
      runtime.set(begunKey, session.open);
      const { output, end, code } = outcome;
      const details = {
        end,
        ...(code !== undefined && { exit_code: code }),
        lines: output.lines,
        characters: output.characters,
        truncated: output.cut,
      };
      runtime.notify({ type: "decision", plugin: name, decision: "ran", enforced: true, call, details });
      return before + resultOf(outcome, redactor, timeout);
    });
  };

  const tool = (policyNote: string): Tool => ({
    name: toolName,
    description: `${options.description ?? defaultDescription}${policyNote}`,
    parameters,
    async execute(input, runtime, call) {
      const { command, restart } = isObject(input) ? input : {};
      const hasCommand = typeof command === "string" && command.trim() !== "";
      if (hasCommand && restart === true) return both;
      if (hasCommand) return command.length > 100_000 || command.includes("\0") ? tooLong : run(command, runtime, call);
      if (restart !== true) return neither;
      const shell = sessions.of(runtime.runId);
      return shell.inTurn(async () => {
        shell.session?.kill();
        runtime.set(begunKey, false);
        return "The shell was restarted.";
      });
    },
  });

  return definePlugin({
    name,
    settings: {
      policy: options.policy ?? "safest",
      timeout,
      maxLines,
      maxCharacters,
      environment: Object.keys(environment).length,
      redacts: redactor !== undefined,
    },
    whereOffered: ["agent"],
    // With an agent layer, every framework reports a suspension to `end`.
    agent: (_, callNext) => callNext(),
    async tools() {
      const policy = await policyOf().catch(() => undefined); // the error is reported when the tool is called
      return [tool(policy === undefined ? "" : ` ${policy.description}`)];
    },
    async end(runtime, settlement) {
      if (settlement.status === "suspended") return sessions.keep(runtime.runId, keepSuspended);
      const session = sessions.take(runtime.runId)?.session;
      if (session === undefined) return;
      try {
        if (settlement.status === "cancelled") return;
        for (const command of shutdown) await session.run(command, 5000, bounds, new AbortController().signal);
      } finally {
        await session.end();
      }
    },
    close: () => sessions.endAll(),
  });
}

/** Formats the result of a command for the model. */
function resultOf({ output, end, code }: CommandOutcome, redactor: Redactor | undefined, timeout: number): string {
  const outputText = output.text(redactor) || "<no output>";
  const newShellNote = "The next command starts a new shell: variables and functions of this one are lost.";
  if (end === "timed_out")
    return `${outputText}\n\nThe command took longer than ${timeout / 1000} s and was stopped. ${newShellNote}`;
  if (end === "flooded") return `${outputText}\n\nThe command printed too much and was stopped. ${newShellNote}`;
  const exit = code === undefined ? "" : ` with exit code ${code}`;
  if (end !== "done") return `${outputText}\n\nThe shell has ended${exit}. ${newShellNote}`;
  return code === 0 ? outputText : `${outputText}\n\nExit code: ${code}`;
}
