import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { type ElicitRequest, ElicitRequestSchema, type ElicitResult } from "@modelcontextprotocol/sdk/types.js";
import type { Awaitable, CallId, RuntimeContext, ToolSteps } from "@suite/core";
import { isObject } from "@suite/core/options";
import { toolText } from "./texts.js";

/** The question of a server to a person. */
export type Elicitation = ElicitRequest["params"];

/** The call within which a server asks. */
export interface ElicitedIn {
  readonly tool: string;
  readonly runtime: RuntimeContext;
  readonly call: CallId;
  /** The steps of the call, in @suite/agent. */
  readonly steps?: ToolSteps | undefined;
}

/** A function that answers a server's question in a person's place, or asks one. */
export type Elicit = (elicitation: Elicitation, within: ElicitedIn) => Awaitable<ElicitResult>;

/** Questions of one call: a server that asks for ever is declined. */
const mostQuestions = 10;
const declined: ElicitResult = { action: "decline" };

/** The questions of a server during calls. The protocol does not say of which call one is: with several at work none is answered. */
export class Elicitations {
  readonly #working = new Map<ElicitedIn, number>();

  constructor(client: Client, elicit: "ask" | Elicit, plugin: string) {
    client.setRequestHandler(ElicitRequestSchema, async ({ params }) => {
      const [[within, asked] = [undefined, 0], ...others] = this.#working;
      if (within === undefined || others.length > 0 || asked >= mostQuestions) {
        const reason = asked >= mostQuestions ? "too many questions" : "not known of which call";
        for (const { runtime, call } of [within, ...others.map(([each]) => each)].filter(
          (each) => each !== undefined,
        )) {
          runtime.notify({ type: "decision", plugin, decision: "declined", enforced: true, call, reason });
        }
        return declined;
      }
      this.#working.set(within, asked + 1);
      return elicit === "ask" ? byPerson(params, within) : elicit(params, within);
    });
  }

  /** A call begins, and ends with what is given back. */
  begin(within: ElicitedIn): () => void {
    this.#working.set(within, 0);
    return () => void this.#working.delete(within);
  }
}

/** A person is asked by the agent's own means: guards see the question, and the answer. */
async function byPerson(params: Elicitation, { tool, steps }: ElicitedIn): Promise<ElicitResult> {
  if (steps === undefined || params.mode === "url" || !("requestedSchema" in params)) return declined;
  const { properties } = params.requestedSchema;
  const fields = Object.keys(properties);
  let answer: unknown;
  try {
    const wanted = fields.length === 0 ? "" : ` (${fields.map(toolText).join(", ")})`;
    answer = await steps.ask(`${tool} asks: ${toolText(params.message)}${wanted}`);
  } catch {
    return { action: "cancel" }; // the run waits for the person: the call is made again when they have answered
  }
  if (answer === null || answer === false) return declined;
  const content =
    isObject(answer) && !Array.isArray(answer) ? answer : fields.length === 1 ? { [fields[0] as string]: answer } : {};
  return { action: "accept", content: content as ElicitResult["content"] & object };
}
