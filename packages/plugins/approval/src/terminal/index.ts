import { userInfo } from "node:os";
import { createInterface, type Interface } from "node:readline/promises";
import { isRecord } from "@suite/kit";
import { sleep } from "@suite/kit/time";
import { ApprovalError } from "../errors.js";
import type { Ask } from "../gate.js";
import type { PendingApproval, PersonDecision } from "../records.js";
import { checkNames, invalid } from "../rules.js";
import { visible } from "./visible.js";

/** The subset of an output stream that a prompt uses. */
export interface TerminalOutput {
  write(text: string): unknown;
}

/** The options of a prompt at a terminal. */
export interface TerminalOptions {
  /** The name of the person who decides, for the record. Default: the user of the operating system. */
  readonly by?: string;
  /** The stream that answers are read from. Default: standard input. */
  readonly input?: AsyncIterable<unknown> & { readonly isTTY?: boolean };
  /** The stream for questions. Default: standard error, so that standard output contains only the program's output. */
  readonly output?: TerminalOutput;
}

/** The maximum number of invalid answers before the run is suspended and the decision must be made elsewhere. */
const ATTEMPTS = 5;

/** Milliseconds before a question. Lines typed earlier are dropped. */
const DROPPED_MS = 25;

/**
 * A way to ask: prompts a person at the program's terminal. Requests of one process are asked one after the other. If
 * the input ends or there is no valid answer, the request stays and the run is suspended.
 *
 * @throws {ApprovalError} `ERR_APPROVAL_TERMINAL` if the input is not a terminal, `ERR_APPROVAL_OPTION`
 * @example
 * ```ts
 * humanInTheLoop({ refund: true }, { ask: terminal() });
 * ```
 */
export function terminal(options: TerminalOptions = {}): Ask {
  if (!isRecord(options)) throw invalid("terminal() takes an object of options.");
  options = checkNames("terminal()", options, { by: true, input: true, output: true });
  const { input = process.stdin, output = process.stderr, by = userInfo().username } = options as TerminalOptions;
  if (typeof by !== "string" || by === "") throw invalid("The option by of terminal() must be a string.");
  if (input.isTTY !== true) {
    throw new ApprovalError(
      "ERR_APPROVAL_TERMINAL",
      "terminal() needs a terminal as input, but the input of this program is a pipe, a file, or closed. Use webhook() or a function.",
    );
  }
  let last: Promise<unknown> = Promise.resolve();
  return (request, { signal }) => {
    const turn = last.then(async () => {
      signal.throwIfAborted();
      const reader = createInterface({ input: input as unknown as NodeJS.ReadableStream, terminal: false });
      try {
        return await new Prompt(reader, output, signal).ask(request, by);
      } finally {
        reader.close();
      }
    });
    last = turn.catch(() => {});
    return turn;
  };
}

/** One conversation with a person about one request. */
class Prompt {
  /** Resolves to undefined when the input has ended. */
  readonly #ended: Promise<undefined>;
  #hasEnded = false;

  constructor(
    readonly reader: Interface,
    readonly output: TerminalOutput,
    readonly signal: AbortSignal,
  ) {
    this.#ended = new Promise((resolve) =>
      reader.once("close", () => {
        this.#hasEnded = true;
        resolve(undefined);
      }),
    );
  }

  async ask(request: PendingApproval, by: string): Promise<PersonDecision | undefined> {
    // A line that was typed before the question, such as a second "y", is not an answer to it. Without a question, the
    // reader drops lines.
    await sleep(DROPPED_MS, this.signal);
    this.#print(visible(request.question));
    this.#print(`  ${visible(request.toolName)} ${visible(argumentText(request))}`);
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const word = await this.#read(`${choicesOf(request).join(", ")}? `);
      if (word === undefined) return undefined;
      const decision = await this.#decision(word.trim().toLowerCase(), request);
      if (decision !== undefined) return { ...decision, by };
    }
    this.#print("No decision was made. The request is still waiting.");
    return undefined;
  }

  /** Maps a typed command to a decision. Returns `undefined` for an unknown command or a missing argument. */
  async #decision(word: string, { decisions, always }: PendingApproval): Promise<PersonDecision | undefined> {
    const takes = (name: PersonDecision["decision"]): boolean => decisions.includes(name);
    if (["y", "yes", "1"].includes(word) && takes("approve")) return { decision: "approve" };
    if (["a", "always"].includes(word) && always) return { decision: "approve", always: true };
    if (["n", "no", "0"].includes(word) && takes("reject")) {
      const message = await this.#read("Reason for the model (empty: none): ");
      return { decision: "reject", ...(message !== undefined && message !== "" && { message }) };
    }
    if (["r", "respond"].includes(word) && takes("respond")) {
      const response = await this.#read("Result to use instead of the tool's: ");
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
      this.#print("The input is not JSON.");
      return undefined;
    }
  }

  /** Reads one line. Returns `undefined` if the input has ended. Rejects if the run is aborted. */
  async #read(question: string): Promise<string | undefined> {
    if (this.#hasEnded) return undefined;
    try {
      this.output.write(question);
      return await Promise.race([this.reader.question("", { signal: this.signal }), this.#ended]);
    } catch (error) {
      this.signal.throwIfAborted(); // with the reason of the abort
      throw error;
    }
  }

  #print(line: string): void {
    this.output.write(`${line}\n`);
  }
}

const argumentText = (request: PendingApproval): string =>
  "arguments" in request ? (JSON.stringify(request.arguments, undefined, 2) ?? "") : "(arguments are not shown)";

/** The words that a request takes, as the prompt offers them. */
function choicesOf({ decisions, always }: PendingApproval): readonly string[] {
  const words = { approve: "(y)es", reject: "(n)o", edit: "(e)dit", respond: "(r)espond" } as const;
  return [...decisions.map((each) => words[each]), ...(always ? ["(a)lways"] : [])];
}
