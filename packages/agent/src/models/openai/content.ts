import type { ReasoningPart } from "@suite/core/messages";
import { type Json, objectsOf, stringOf } from "@suite/wire";
import { nativeOfSigner } from "../../signer.js";

/** A piece of an answer's content: text, or a thought of the model. */
export interface ContentPiece {
  readonly type: "text" | "reasoning";
  readonly content: string;
}

/**
 * Reads the content of a message or a delta: a string, or a list, as Mistral's reasoning models send it. Items of the
 * list that are neither text nor thinking (references, for example) are left out.
 */
export function contentOf(content: unknown): readonly ContentPiece[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", content }];
  return objectsOf(content)
    .map((item): ContentPiece => {
      if (item.type !== "thinking") return { type: "text", content: textOfItem(item) };
      const { thinking } = item;
      const thought = typeof thinking === "string" ? thinking : objectsOf(thinking).map(textOfItem).join("");
      return { type: "reasoning", content: thought };
    })
    .filter((piece) => piece.content !== "");
}

/** Returns the native form of a thought that was received in a list. The server expects it back in a list. */
export const thinkingItem = (signer: string): Json => ({ from: signer, content_item: "thinking" });

/**
 * Returns the content item that Mistral's API expects for a thought, or `undefined` if the thought was not received in
 * a list.
 */
export const thinkingOf = (part: ReasoningPart, signer: string): Json | undefined =>
  nativeOfSigner(part, signer)?.content_item === "thinking"
    ? { type: "thinking", thinking: [{ type: "text", text: part.content }], closed: true }
    : undefined;

const textOfItem = ({ text }: Json): string => stringOf(text);
