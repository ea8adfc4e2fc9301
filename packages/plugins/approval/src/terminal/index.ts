import { userInfo } from "node:os";
import { createInterface, type Interface } from "node:readline/promises";
import { ApprovalError } from "../errors.js";
import type { Ask } from "../gate.js";
import type { PendingApproval, PersonDecision } from "../records.js";
import { checkNames, invalid, isObject } from "../rules.js";
import { visible } from "./visible.js";

/** A stream that questions are written to: what a prompt needs of it. */
export interface TerminalOutput {
  write(text: string): unknown;
}

/** The options of a prompt at a terminal. */
export interface TerminalOptions {
  /** The name of whoever decides, for the record. Default: that of the operating system's user. */
  readonly by?: string;
  /** The stream that answers are read from. Default: standard input. */
  readonly input?: AsyncIterable<unknown> & { readonly isTTY?: boolean };
  /** The stream that questions are written to. Default: standard error, so that the program's output stays its own. */
  readonly output?: TerminalOutput;
}

/**
 * The number of times that an answer that is none is asked for again, before the run waits for a decision made
 * elsewhere.
 */
const ATTEMPTS = 5;

/**
 * A way to ask: prompts a person at the terminal of the program. Requests of one process are asked one after the other. Where
 * the input ends, or nobody gives an answer that is one, the request stays, and the run waits.
 *
 * @throws {ApprovalError} `ERR_APPROVAL_TERMINAL` where the input is no terminal, `ERR_APPROVAL_OPTION`
 * @example
 * ```ts
 * humanInTheLoop({ refund: true }, { ask: terminal() });
 * ```
 */
export function terminal(options: TerminalOptions = {}): Ask {
  if (!isObject(options)) throw invalid("terminal() takes an object of options.");
  options = checkNames("terminal()", options, { by: true, input: true, output: true });
  const { input = process.stdin, output = process.stderr, by = userInfo().username } = options as TerminalOptions;
  if (typeof by !== "string" || by === "") throw invalid("The option by of terminal() is a text.");
  if (input.isTTY !== true) {
    throw new ApprovalError(
      "ERR_APPROVAL_TERMINAL",
      "terminal() needs an input that is a terminal: this program's is a pipe, a file, or closed. Ask by webhook() there, or by a function.",
    );
  }
  let last: Promise<unknown> = Promise.resolve();
  return (request, { signal }) => {
    const asked = last.then(async () => {
      signal.throwIfAborted();
      const reader = createInterface({ input: input as unknown as NodeJS.ReadableStream, terminal: false });
      try {
        return await new Prompt(reader, output, signal).ask(request, by);
      } finally {
        reader.close();
      }
    });
    last = asked.catch(() => {});
    return asked;
  };
}

/** One conversation with a person about one request. */
class Prompt {
  /** Resolves to undefined when the input has ended. */
  readonly #ended: Promise<undefined>;

  constructor(
    readonly reader: Interface,
    readonly output: TerminalOutput,
    readonly signal: AbortSignal,
  ) {
    this.#ended = new Promise((resolve) => reader.once("close", () => resolve(undefined)));
  }

  async ask(request: PendingApproval, by: string): Promise<PersonDecision | undefined> {
    this.#say(visible(request.question));
    this.#say(`  ${visible(request.toolName)} ${visible(shown(request))}`);
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const word = await this.#read(`${choicesOf(request).join(", ")}? `);
      if (word === undefined) return undefined;
      const decision = await this.#decision(word.trim().toLowerCase(), request);
      if (decision !== undefined) return { ...decision, by };
    }
    this.#say("No decision was made: the request waits.");
    return undefined;
  }

  /** The decision that a word stands for; undefined where it stands for none, or what belongs to it was not given. */
  async #decision(word: string, { decisions, always }: PendingApproval): Promise<PersonDecision | undefined> {
    const takes = (name: PersonDecision["decision"]): boolean => decisions.includes(name);
    if (["y", "yes", "1"].includes(word) && takes("approve")) return { decision: "approve" };
    if (["a", "always"].includes(word) && always) return { decision: "approve", always: true };
    if (["n", "no", "0"].includes(word) && takes("reject")) {
      const message = await this.#read("Why, for the model (empty: nothing)? ");
      return { decision: "reject", ...(message !== undefined && message !== "" && { message }) };
    }
    if (["r", "respond"].includes(word) && takes("respond")) {
      const response = await this.#read("The tool's result in its place: ");
      return response === undefined || response === "" ? undefined : { decision: "respond", response };
    }
    if (["e", "edit"].includes(word) && takes("edit")) return this.#edit();
    return undefined;
  }

  async #edit(): Promise<PersonDecision | undefined> {
    const text = await this.#read("The arguments, as JSON on one line: ");
    try {
      return text === undefined ? undefined : { decision: "edit", arguments: JSON.parse(text) as unknown };
    } catch {
      this.#say("This is not JSON.");
      return undefined;
    }
  }

  /** One line; undefined where the input has ended. Rejects when the run is aborted. */
  async #read(question: string): Promise<string | undefined> {
    try {
      this.output.write(question);
      return await Promise.race([this.reader.question("", { signal: this.signal }), this.#ended]);
    } catch (error) {
      this.signal.throwIfAborted(); // with the reason of the abort
      throw error;
    }
  }

  #say(line: string): void {
    this.output.write(`${line}\n`);
  }
}

const shown = (request: PendingApproval): string =>
  "arguments" in request ? (JSON.stringify(request.arguments, undefined, 2) ?? "") : "(arguments are not shown)";

/** The words that a request takes, as the prompt offers them. */
function choicesOf({ decisions, always }: PendingApproval): readonly string[] {
  const words = { approve: "(y)es", reject: "(n)o", edit: "(e)dit", respond: "(r)espond" } as const;
  return [...decisions.map((each) => words[each]), ...(always ? ["(a)lways"] : [])];
}
