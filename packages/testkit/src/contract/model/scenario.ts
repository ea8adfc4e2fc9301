import { type Delta, type Message, type ModelRequest, message, type Part, type Reply } from "@suite/core";
import { assembleReply } from "@suite/core/messages";
import type { ModelAnswer } from "../../server/answer.js";
import type { RecordedRequest } from "../../server/request.js";
import type { Responder } from "../../server/script.js";
import { expectThat, within } from "../expect.js";
import { frozen } from "../plugin/samples.js";
import type { ModelCapability, ModelClient, ModelClientOptions, ModelSubject } from "./subject.js";

/** One promise of model clients. It rejects if the promise does not hold. */
export interface ModelScenario {
  readonly name: string;
  readonly needs: readonly ModelCapability[];
  run(subject: ModelSubject): Promise<void>;
}

type Body = (rig: ModelRig) => Promise<void>;

/** The longest time that a scenario may take, in milliseconds. */
const limit = 20_000;

export const scenario = (
  name: string,
  body: Body,
  needs: readonly ModelCapability[] = [],
  streaming = true,
): ModelScenario => ({
  name,
  needs,
  async run(subject) {
    const rig = new ModelRig(subject, streaming);
    await within(body(rig), name, limit);
  },
});

/** Creates the scenarios of one promise: for a complete answer and for a streamed one. */
export const inBothModes = (
  name: string,
  body: Body,
  needs: readonly ModelCapability[] = [],
): readonly ModelScenario[] => [
  scenario(`${name}, plain`, body, needs, false),
  scenario(`${name}, streamed`, body, needs, true),
];

/** The signal of a call that is not aborted. */
export const idle = (): AbortSignal => new AbortController().signal;

/** A client and its server, for one scenario. */
export class ModelRig {
  readonly client: ModelClient;

  constructor(
    readonly subject: ModelSubject,
    readonly streaming: boolean,
  ) {
    subject.server().reset();
    this.client = subject.create();
  }

  /** The requests that the server received. */
  get requests(): readonly RecordedRequest[] {
    return this.subject.server().requests;
  }

  /** The body of the last request. */
  get body(): Readonly<Record<string, unknown>> {
    return (this.requests.at(-1)?.body ?? {}) as Readonly<Record<string, unknown>>;
  }

  /** The body of the last request, as text. */
  get sent(): string {
    return JSON.stringify(this.body);
  }

  script(...answers: readonly (ModelAnswer | Responder)[]): void {
    this.subject.server().script(...answers);
  }

  /** Creates a request that throws if it is changed. */
  request(more: Partial<ModelRequest> = {}): ModelRequest {
    const messages = [message("user", "Hello")];
    return frozen({ model: this.client.name, messages, tools: [], stream: this.streaming, ...more });
  }

  /** Makes a request, and returns the reply or the sum of the stream. */
  async ask(more: Partial<ModelRequest> = {}, options: Partial<ModelClientOptions> = {}): Promise<Reply> {
    const callOptions = { signal: idle(), ...options };
    if (!this.streaming) return this.client.generate(this.request(more), callOptions);
    return assembleReply(await this.deltas(more, callOptions));
  }

  async deltas(more: Partial<ModelRequest> = {}, options: Partial<ModelClientOptions> = {}): Promise<readonly Delta[]> {
    const deltas: Delta[] = [];
    for await (const delta of this.client.stream(this.request(more), { signal: idle(), ...options }))
      deltas.push(delta);
    return deltas;
  }

  /** Returns the error of a call that must fail. */
  async failure(call: () => Promise<unknown> = () => this.ask()): Promise<Readonly<Record<string, unknown>>> {
    try {
      await call();
    } catch (error) {
      expectThat(typeof error === "object" && error !== null, "the call rejected with something that is no error");
      return error as Readonly<Record<string, unknown>>;
    }
    expectThat(false, "the call did not reject");
  }

  /** Returns the body of the request for these messages, as text. */
  async sentFor(messages: readonly Message[]): Promise<string> {
    this.script({ text: "Fine." });
    await this.ask({ messages });
    return this.sent;
  }
}

/** Returns parts without the `native` of the client. */
export const bare = (parts: readonly Part[]): readonly Part[] =>
  parts.map((part) => {
    if (part.type === "native" || !("native" in part)) return part;
    const { native: _, ...rest } = part;
    return rest;
  });
