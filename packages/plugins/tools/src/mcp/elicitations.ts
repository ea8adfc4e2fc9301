import type { Awaitable, CallId, RuntimeContext } from "@suite/core";
import type { ToolSteps } from "@suite/core/contract";
import { isObject } from "@suite/kit";
import { handle, type McpClient } from "./client.js";
import { toolText } from "./texts.js";

/** A server's question to a person: a form, or an address that the person opens. */
export interface Elicitation {
  readonly message: string;
  readonly mode?: "form" | "url";
  /** The JSON Schema of the form. */
  readonly requestedSchema?: {
    readonly properties: Readonly<Record<string, unknown>>;
    readonly [key: string]: unknown;
  };
  readonly url?: string;
}

/** A person's answer to a server. */
export interface ElicitResult {
  readonly action: "accept" | "decline" | "cancel";
  readonly content?: Readonly<Record<string, string | number | boolean | readonly string[]>> | undefined;
}

/** The call during which a server asks. */
export interface ElicitedIn {
  readonly tool: string;
  readonly runtime: RuntimeContext;
  readonly call: CallId;
  /** The steps of the call in @suite/agent. */
  readonly steps?: ToolSteps | undefined;
}

/** Answers a server's question, or forwards it to a person. */
export type Elicit = (elicitation: Elicitation, within: ElicitedIn) => Awaitable<ElicitResult>;

/** The maximum number of questions per call. Further questions are declined. */
const mostQuestions = 10;
const declined: ElicitResult = { action: "decline" };

/**
 * Handles a server's questions during calls. The protocol does not identify the call of a question, so none is answered
 * while several calls are running.
 */
export class Elicitations {
  readonly #working = new Map<ElicitedIn, number>();

  constructor(client: McpClient, elicit: "ask" | Elicit, plugin: string) {
    handle(client, "elicitation/create", async (request) => {
      const [[within, questionCount] = [undefined, 0], ...others] = this.#working;
      if (within === undefined || others.length > 0 || questionCount >= mostQuestions) {
        const reason = questionCount >= mostQuestions ? "too many questions" : "the call is not known";
        for (const { runtime, call } of [within, ...others.map(([each]) => each)].filter(
          (each) => each !== undefined,
        )) {
          runtime.notify({ type: "decision", plugin, decision: "declined", enforced: true, call, reason });
        }
        return declined;
      }
      this.#working.set(within, questionCount + 1);
      // The SDK has validated the request.
      const params = request.params as Elicitation;
      return elicit === "ask" ? byPerson(params, within) : elicit(params, within);
    });
  }

  /** Registers a call. The returned function unregisters it. */
  begin(within: ElicitedIn): () => void {
    this.#working.set(within, 0);
    return () => void this.#working.delete(within);
  }
}

/** Asks a person through the agent. Guards see the question and the answer. */
async function byPerson(params: Elicitation, { tool, steps }: ElicitedIn): Promise<ElicitResult> {
  if (steps === undefined || params.mode === "url" || params.requestedSchema === undefined) return declined;
  const { properties } = params.requestedSchema;
  const fields = Object.keys(properties);
  let answer: unknown;
  try {
    const wanted = fields.length === 0 ? "" : ` (${fields.map(toolText).join(", ")})`;
    answer = await steps.ask(`${tool} asks: ${toolText(params.message)}${wanted}`);
  } catch {
    return { action: "cancel" }; // the run is suspended, and the call is made again after the answer
  }
  if (answer === null || answer === false) return declined;
  const content =
    isObject(answer) && !Array.isArray(answer) ? answer : fields.length === 1 ? { [fields[0] as string]: answer } : {};
  return { action: "accept", content: content as NonNullable<ElicitResult["content"]> };
}
