import type { Delta, Part, Reply } from "@suite/core";
import { assembleReply, type PartDelta } from "@suite/core/messages";
import { isRecord } from "@suite/kit";
import type { Content } from "../framework.js";
import { contentOf, partOf } from "../messages/content.js";

/** The fields of a step that are used here. */
interface Step {
  readonly content: readonly Readonly<Record<string, unknown>>[];
  readonly finishReason?: string;
  readonly response?: { readonly id?: string; readonly modelId?: string; readonly messages?: readonly unknown[] };
}

interface Usage {
  readonly inputTokens?: number | undefined;
  readonly outputTokens?: number | undefined;
}

/** The fields of a `generateText` result that are used here. */
export interface Result {
  readonly steps: readonly Step[];
  readonly totalUsage?: Usage;
  readonly usage?: Usage;
}

/** The types of parts that the model wrote. */
const contentTypes = new Set(["text", "reasoning", "tool-call"]);

/** Reads the steps of a result. The parts that the model wrote in all steps form the answer of the agent. */
export class ReadSteps {
  readonly reply: Reply;
  readonly #parts: readonly Part[];

  constructor(readonly result: Result) {
    this.#parts = result.steps.flatMap(({ content }) => content.filter(isContent).map(partOfStep));
    const { inputTokens, outputTokens } = result.totalUsage ?? result.usage ?? {};
    const last = result.steps.at(-1);
    this.reply = {
      message: { role: "assistant", parts: this.#parts },
      ...(inputTokens !== undefined && { usage: { inputTokens, outputTokens: outputTokens ?? 0 } }),
      ...(last?.finishReason !== undefined && {
        finishReason: last.finishReason.replace("-", "_").replace("tool_calls", "tool_call"),
      }),
    };
  }

  /**
   * Returns the new parts for each changed part, by its index. Parts that layers added follow the last index. Returns
   * `undefined` if nothing has changed.
   */
  changedBy(deltas: readonly Delta[]): ReadonlyMap<number, readonly Part[]> | undefined {
    const partDeltas = deltas.filter(isPart);
    const untouched = (part: Part, index: number): boolean =>
      partDeltas[index]?.part === part && partDeltas[index]?.at === `${index}`;
    if (partDeltas.length === this.#parts.length && this.#parts.every(untouched)) return undefined;
    const by = new Map<string, PartDelta[]>();
    for (const delta of partDeltas) by.set(delta.at, [...(by.get(delta.at) ?? []), delta]);
    const changed = new Map<number, readonly Part[]>();
    for (const [index, part] of this.#parts.entries()) {
      const mine = by.get(`${index}`) ?? [];
      by.delete(`${index}`);
      if (mine.length !== 1 || mine[0]?.part !== part) changed.set(index, assembleReply(mine).message.parts);
    }
    const added = assembleReply([...by.values()].flat()).message.parts;
    if (added.length > 0) changed.set(this.#parts.length, added);
    return changed.size === 0 ? undefined : changed;
  }
}

const isPart = (delta: Delta): delta is PartDelta => delta.type === "part";
const isContent = (part: Readonly<Record<string, unknown>>): boolean => contentTypes.has(String(part.type));

function partOfStep(part: Readonly<Record<string, unknown>>): Part {
  const normalized = part.type === "tool-call" ? { ...part, input: JSON.stringify(part.input) ?? "" } : part;
  const read = partOf(normalized as unknown as Content);
  if (!("native" in read)) return read;
  const { native: _, ...rest } = read;
  return rest as Part;
}

/** Returns the result with changed steps. The getters of the result read from them. */
export function withChanges<R extends Result>(
  result: R,
  changed: ReadonlyMap<number, readonly Part[]>,
  extra: object,
): R {
  let at = 0;
  const contents = result.steps.map(({ content }, index) => {
    const changedContent = content.flatMap((part): readonly unknown[] => {
      const parts = isContent(part) ? changed.get(at++) : undefined;
      return parts === undefined ? [part] : parts.flatMap((each) => stepPart(each) ?? []);
    });
    const added = index === result.steps.length - 1 ? (changed.get(at) ?? []) : [];
    return [...changedContent, ...added.flatMap((part) => stepPart(part) ?? [])];
  });
  const steps = result.steps.map((step, index) => {
    const messages = messagesOf(step, index, contents);
    return Object.create(step, {
      content: { value: contents[index], enumerable: true },
      response: { value: { ...step.response, body: undefined, messages }, enumerable: true },
    });
  });
  return Object.create(result, {
    steps: { value: steps, enumerable: true },
    ...Object.getOwnPropertyDescriptors(extra),
  });
}

function stepPart(part: Part): unknown {
  const content = contentOf(part);
  return content?.type === "tool-call" && isRecord(part)
    ? { ...content, input: (part as { arguments?: unknown }).arguments }
    : content;
}

/** Returns the messages of a step with the changed text. The message of the step itself is the last one. */
function messagesOf({ response }: Step, index: number, contents: readonly (readonly unknown[])[]): readonly unknown[] {
  const messages = response?.messages ?? [];
  const isAnswer = (message: unknown): message is Readonly<Record<string, unknown>> =>
    isRecord(message) && message.role === "assistant";
  let of = index + 1 - messages.filter(isAnswer).length;
  return messages.map((message) => {
    if (!isAnswer(message)) return message;
    const content = contents[of++]?.filter((part) => isRecord(part) && isContent(part));
    return content === undefined ? message : { ...message, content };
  });
}
