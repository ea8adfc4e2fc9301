import type { Fault, ModelAnswer } from "@suite/testkit";
import type { Random } from "../random.js";

/** The part of a request to the model that its answer depends on. */
export interface ModelBody {
  readonly messages: readonly { readonly role: string; readonly content?: unknown }[];
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
  readonly stream?: boolean;
}

const sentences = [
  "Your order is on its way.",
  "We wrote to jane.doe@example.com about it.",
  "The card 4111 1111 1111 1111 was refunded.",
  "It was packed at 198.51.100.7, see https://shop.example.com/o/1001.",
  "Parcels go to the neighbour when nobody is at home.",
  "Please allow for three working days.",
  "Is there anything else that I can look up?",
];

const orders = ["1001", "1002", "1003", "4711"];

/** Answers like a model that calls random tools of the offered ones, and fails at random. */
export class Answers {
  readonly #random: Random;
  /** A number in the arguments of each call that identifies its effect. */
  #refs = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  /** @param bad true if the provider has an outage: most requests are then refused. */
  to(request: ModelBody, bad: boolean): ModelAnswer {
    const fault = this.#fault(request.stream === true, bad);
    const usage = { inputTokens: 200 + this.#random(2000), outputTokens: 10 + this.#random(400) };
    const text = JSON.stringify(request.messages.at(-1)?.content ?? "");
    if (text.includes("Answer with a JSON array of names"))
      return { text: this.#names(text), usage, ...(fault && { fault }) };
    const lastQuestion = request.messages.findLastIndex(({ role }) => role === "user");
    const done = request.messages.slice(lastQuestion).filter(({ role }) => role === "tool").length;
    const names = (request.tools ?? []).map((tool) => tool.function.name);
    const calls = done < 4 && this.#random(100) < 60 ? this.#calls(names) : [];
    const answerText = calls.length === 0 || this.#random(3) === 0 ? this.#text() : "";
    return { text: answerText, toolCalls: calls, usage, chunks: 3 + this.#random(9), ...(fault && { fault }) };
  }

  #text(): string {
    return Array.from({ length: 1 + this.#random(4) }, () => this.#one(sentences)).join(" ");
  }

  /** Answers the question which tools are needed: most of the listed ones, and sometimes an unknown one. */
  #names(question: string): string {
    const listed = [...question.matchAll(/\\n- (\w+):/g)].map(([, name]) => name ?? "");
    const chosen = listed.filter(() => this.#random(5) > 0);
    return JSON.stringify(this.#random(20) === 0 ? ["sing"] : chosen);
  }

  #calls(names: readonly string[]) {
    if (names.length === 0) return [];
    return Array.from({ length: 1 + this.#random(2) }, () => {
      // Sometimes an unknown tool, and sometimes malformed arguments.
      const name = this.#random(60) === 0 ? "sing" : this.#one(names);
      return { name, arguments: this.#random(60) === 0 ? '{"order": ' : this.#argumentsOf(name) };
    });
  }

  #argumentsOf(name: string): unknown {
    const order = this.#one(orders);
    switch (name) {
      case "shell":
        return { command: this.#one(["echo hello; pwd", "sleep 0.05 & ls -a", "n=$((n+1)); echo $n", "exit 3"]) };
      case "glob":
        return { pattern: "*.ts" };
      case "grep":
        return { pattern: "export const" };
      case "write_todos":
        return { todos: [{ content: `look ${order} up`, status: this.#one(["pending", "completed"]) }] };
      case "search_memory":
        return { query: "where do parcels go" };
      case "add_memory":
        return { content: `Asked for ${order}, is jane.doe@example.com.` };
      case "search_tools":
        return { query: "refund" };
      case "billing":
        return { prompt: `Explain the invoice of ${order}.` };
      default:
        return { order, amount: 1 + this.#random(100), ref: ++this.#refs };
    }
  }

  #fault(streamed: boolean, bad: boolean): Fault | undefined {
    const draw = this.#random(bad ? 130 : 1000);
    if (draw < 40) return { status: 429, retryAfter: this.#random(2) };
    if (draw < 80) return { status: 503 };
    if (draw < 95) return { cut: streamed ? { textPieces: 1 + this.#random(3) } : "before-headers" };
    if (draw < 103) return { hang: streamed ? { textPieces: 1 } : "before-headers" };
    if (draw < 113) return { malformed: { textPieces: 1 } };
    if (draw < 123) return { error: { textPieces: 1 } };
    if (draw < 200) return { delay: 10 + this.#random(50) };
    return undefined;
  }

  #one<T>(list: readonly T[]): T {
    return list[this.#random(list.length)] as T;
  }
}
