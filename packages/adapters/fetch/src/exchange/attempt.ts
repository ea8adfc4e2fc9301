import type { Invocation, Reply } from "@suite/core";
import { EventStream } from "../neutral/event-stream.js";
import type { WireFormat } from "../neutral/format.js";
import { eventStream, type Framing, jsonList } from "../sse/framing.js";
import { CompleteAnswer } from "./plain.js";
import { type Refusal, refusalOf } from "./response.js";
import { Source } from "./source.js";

/** One request to the model. A layer may send another one. */
export class Attempt {
  readonly response: Response;
  /** The answer, if it streams. */
  stream: EventStream | undefined;
  /** The source of its events. */
  source: Source | undefined;
  /** The answer, if it does not stream. */
  complete: CompleteAnswer | undefined;
  refusal: Refusal | undefined;
  /** True if a streamed answer was read to its end, has failed or was cancelled. All later deltas come from a layer. */
  over = false;
  /** The framing of its events, if it streams. The response decides, not the request. */
  readonly framing: Framing | undefined;

  /** @param isList true if the address asks for a stream in the form of a JSON list */
  constructor(response: Response, isList: boolean) {
    this.response = response;
    const type = response.headers.get("content-type") ?? "";
    if (eventStream.streams(type)) this.framing = eventStream;
    else if (isList && jsonList.streams(type)) this.framing = jsonList;
  }

  /** True if the deltas that the layers release come from this answer as it streams. */
  get streams(): boolean {
    return this.stream?.begun === true && !this.over;
  }

  /**
   * Passes the answer to the layers: at once if it streams, otherwise after it has been read.
   *
   * @throws FetchError `ERR_FETCH_REFUSED`
   */
  respond(invocation: Invocation<"model">, format: WireFormat): Promise<void> | undefined {
    const { response, framing } = this;
    if (!response.ok || response.body === null || framing === undefined) {
      return Promise.resolve(response.text()).then((text) => invocation.respond({ value: this.#read(text, format) }));
    }
    this.stream = new EventStream(format.stream());
    this.source = new Source(response.body, this.stream, framing);
    invocation.respond({ stream: this.source });
    invocation.pipe({
      settle: () => {
        this.over = true;
      },
    });
    return undefined;
  }

  #read(text: string, format: WireFormat): Reply {
    if (!this.response.ok) {
      this.refusal = refusalOf(this.response, text);
      throw this.refusal.error;
    }
    this.complete = new CompleteAnswer(text, format);
    return this.complete.reply;
  }
}
