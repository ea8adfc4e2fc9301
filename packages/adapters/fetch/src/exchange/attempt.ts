import type { Invocation, Reply } from "@suite/core";
import { WithValues } from "../formats/values.js";
import type { StreamFormat, WireFormat } from "../neutral/format.js";
import type { Framing } from "../sse/framing.js";
import { type Refusal, refusalOf } from "./failure.js";
import { PlainAnswer } from "./plain.js";
import { Source } from "./source.js";

/** One time that the model was asked: a layer may do so again. */
export class Attempt {
  readonly response: Response;
  /** The format of an answer that streams. */
  stream: StreamFormat | undefined;
  /** The source of its events. */
  source: Source | undefined;
  /** The answer, where it does not stream. */
  plain: PlainAnswer | undefined;
  refusal: Refusal | undefined;
  /** Whether an answer that streams was read to the end, has failed or was let go: what comes then is of a layer's own making. */
  over = false;

  readonly #framing: Framing;

  constructor(response: Response, framing: Framing) {
    this.response = response;
    this.#framing = framing;
  }

  /** Whether what comes out of the layers is made of this answer as it streams. */
  get streams(): boolean {
    return this.stream?.begun === true && !this.over;
  }

  get #isStream(): boolean {
    return this.#framing.streams(this.response.headers.get("content-type") ?? "");
  }

  /**
   * Gives the answer to the layers: at once where it streams, else when it has been read.
   *
   * @throws FetchError `ERR_FETCH_REFUSED`, `ERR_FETCH_ANSWER_UNREADABLE`
   */
  respond(invocation: Invocation<"model">, format: WireFormat): Promise<void> | undefined {
    const { response } = this;
    if (!response.ok || response.body === null || !this.#isStream) {
      const given = (text: string): void => invocation.respond({ value: this.#read(text, format) });
      return Promise.resolve(response.text()).then(given);
    }
    this.stream = new WithValues(format);
    this.source = new Source(response.body, this.stream, this.#framing);
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
    this.plain = new PlainAnswer(text, format);
    return this.plain.reply;
  }
}
