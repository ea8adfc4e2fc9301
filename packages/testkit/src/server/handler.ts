import type { IncomingMessage, ServerResponse } from "node:http";
import type { ModelAnswer } from "./answer.js";
import { chatCompletions } from "./formats/chat-completions.js";
import { embeddings } from "./formats/embeddings.js";
import { member, type WireFormat } from "./formats/format.js";
import { messages } from "./formats/messages.js";
import { openAiError } from "./formats/openai-error.js";
import { responses } from "./formats/responses.js";
import { eventPieces, jsonPieces } from "./pieces.js";
import { type Body, headersOf, type RecordedRequest, readBody } from "./request.js";
import { resolve } from "./resolve.js";
import type { Script } from "./script.js";
import { send, type Transfer, type TransferEnd } from "./transport.js";

const formats: ReadonlyMap<string, WireFormat> = new Map([
  ["/v1/chat/completions", chatCompletions],
  ["/v1/responses", responses],
  ["/v1/messages", messages],
]);
const embeddingsPath = "/v1/embeddings";
const paths = [...formats.keys(), embeddingsPath].join(", ");

export interface HandlerOptions {
  readonly script: Script;
  readonly maxBodyBytes: number;
  record(request: RecordedRequest): void;
}

/** Answers HTTP requests by path, body and script. */
export class Handler {
  readonly #options: HandlerOptions;
  #answered = 0;

  constructor(options: HandlerOptions) {
    this.#options = options;
  }

  async handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(incoming, this.#options.maxBodyBytes);
    let ended: (end: TransferEnd | PromiseLike<TransferEnd>) => void = () => {};
    const request: RecordedRequest = {
      method: incoming.method ?? "",
      path: incoming.url ?? "",
      headers: headersOf(incoming),
      body: "value" in body ? body.value : undefined,
      ended: new Promise<TransferEnd>((settle) => {
        ended = settle;
      }),
    };
    this.#options.record(request);
    ended(await this.#answer(request, body, response));
  }

  async #answer(request: RecordedRequest, body: Body, response: ServerResponse): Promise<TransferEnd> {
    const path = request.path.split("?", 1)[0] ?? "";
    const format = formats.get(path);
    const refuse = (status: number, message: string): Promise<TransferEnd> =>
      send(response, jsonTransfer(status, format?.error(status, message) ?? openAiError(status, message), noRetry));

    if ("problem" in body && body.problem === "broken off") return "closed";
    if ("problem" in body && body.problem === "too large") {
      response.shouldKeepAlive = false;
      return refuse(413, `The request body is longer than ${this.#options.maxBodyBytes} bytes.`);
    }
    if (format === undefined && path !== embeddingsPath) return refuse(404, `Unknown path. Known paths: ${paths}.`);
    if (request.method !== "POST") return refuse(405, "This path only accepts POST.");
    if ("problem" in body || typeof body.value !== "object" || body.value === null) {
      return refuse(400, "The request body is not a JSON object.");
    }
    if (format === undefined) return send(response, jsonTransfer(200, embeddings(body.value)));
    let answer: ModelAnswer | undefined;
    let transfer: Transfer | undefined;
    try {
      answer = await this.#options.script.next(request);
      transfer = answer && this.#transfer(answer, format, body.value);
    } catch (error) {
      return refuse(500, `The script failed: ${error instanceof Error ? error.message : String(error)}`);
    }
    return transfer === undefined ? refuse(500, this.#options.script.summary) : send(response, transfer, answer?.fault);
  }

  #transfer(answer: ModelAnswer, format: WireFormat, body: unknown): Transfer {
    const fault = answer.fault ?? {};
    if (fault.status !== undefined) {
      const retry = fault.retryAfter === undefined ? undefined : { "retry-after": String(fault.retryAfter) };
      const message = fault.message ?? `Scripted: status ${fault.status}.`;
      return {
        ...jsonTransfer(fault.status, undefined, retry),
        pieces: jsonPieces(format.error(fault.status, message), fault),
      };
    }
    const resolved = resolve(answer, body, ++this.#answered);
    return member(body, "stream") === true
      ? { status: 200, headers: eventHeaders, pieces: eventPieces(format.events(resolved, body), format, fault) }
      : { status: 200, headers: jsonHeaders, pieces: jsonPieces(format.json(resolved, body), fault) };
  }
}

const jsonHeaders = { "content-type": "application/json" };
const eventHeaders = { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" };
/** Real clients retry a 5xx unless this header forbids it. A mistake in a script must not be retried. */
const noRetry = { "x-should-retry": "false" };

const jsonTransfer = (status: number, body: unknown, headers?: Readonly<Record<string, string>>): Transfer => ({
  status,
  headers: { ...jsonHeaders, ...headers },
  pieces: body === undefined ? [] : jsonPieces(body, {}),
});
