import { type BaseMessage, isAIMessage } from "@langchain/core/messages";
import type { Redactor } from "@suite/core";
import { isOriginalId, isSameProvider, Originals } from "@suite/core/framework";
import type { ReasoningPart } from "@suite/core/messages";
import { isRecord } from "@suite/kit";
import { partOf } from "./blocks.js";
import { copyOf } from "./copy.js";

/** Signed reasoning as its provider accepts it. */
type Signed = Pick<ReasoningPart, "content"> & { readonly signature: string };

const originals = new Originals<Signed>();

/**
 * Stores signed reasoning that a plugin removed from an answer, or changed.
 *
 * @returns the signature that replaces it in the message. `undefined` if the redactor finds nothing in it: the plugin
 * then had another reason, and the reasoning is not sent again.
 */
export function withhold({ content, signature }: Signed, redactor: Redactor | undefined): string | undefined {
  if (redactor === undefined || isOriginalId(signature) || redactor.redact(content) === content) return undefined;
  return originals.keep({ content, signature });
}

/** Returns the signed reasoning in a block, or `undefined` if it contains none. */
export function signedIn(block: unknown): Signed | undefined {
  const part = isRecord(block) && typeof block.signature === "string" ? partOf(block) : undefined;
  if (part?.type !== "reasoning" || part.signature === undefined || part.signature === "") return undefined;
  return { content: part.content, signature: part.signature };
}

/** Returns a block of reasoning with another text and signature. */
export function withSigned(block: Readonly<Record<string, unknown>>, { content, signature }: Signed): object {
  return { ...block, [typeof block.reasoning === "string" ? "reasoning" : "thinking"]: content, signature };
}

/**
 * Returns the messages as the model's provider accepts them, with the originals of withheld reasoning. Leaves out
 * withheld reasoning whose original was dropped. Also leaves out reasoning of another provider if the redactor finds
 * something in it.
 *
 * @param provider the provider of the model that is called.
 */
export function messagesFor(
  provider: string | undefined,
  messages: BaseMessage[],
  redactor: Redactor | undefined,
): BaseMessage[] {
  const sent = messages.map((message) => {
    const { content } = message;
    if (!isAIMessage(message) || !Array.isArray(content)) return message;
    const writer: unknown = message.response_metadata?.model_provider;
    const fromSameProvider = typeof writer !== "string" || provider === undefined || isSameProvider(writer, provider);
    const blocks = content.flatMap((block) => blockFor(block, fromSameProvider ? undefined : redactor) ?? []);
    const same = blocks.length === content.length && blocks.every((block, index) => block === content[index]);
    return same ? message : copyOf(message, { content: blocks });
  });
  return sent.every((message, index) => message === messages[index]) ? messages : sent;
}

/** @param redactor checks reasoning that another provider signed. Without it, all reasoning is sent. */
function blockFor<Block extends object>(block: Block, redactor: Redactor | undefined): Block | undefined {
  const signed = signedIn(block);
  if (signed === undefined) return block;
  const { signature } = signed;
  const isWithheld = isOriginalId(signature);
  const original = isWithheld ? originals.get(signature) : signed;
  if (original === undefined) return undefined;
  if (redactor !== undefined && redactor.redact(original.content) !== original.content) return undefined;
  return isWithheld ? (withSigned(block as Record<string, unknown>, original) as Block) : block;
}
