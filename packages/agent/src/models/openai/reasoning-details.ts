import type { Part } from "@suite/core";
import { isJson, type Json, stringOf } from "@suite/wire";
import { nativeOfSigner } from "../../signer.js";

/**
 * The text field of a detail of OpenRouter's `reasoning_details`, by its type. An encrypted detail has `data` instead.
 * Others have a `signature` next to the text.
 */
const textField = (type: unknown): "text" | "summary" => (type === "reasoning.summary" ? "summary" : "text");

/** Returns the text of a detail, or of a piece of one. */
export const textOfDetail = (detail: Json): string => stringOf(detail[textField(detail.type)]);

/** Returns a detail, or a piece of one, as a part. The part remembers the rest of the detail, to send it back. */
export function detailPart(detail: Json, signer: string): Part {
  const { text: _text, summary: _summary, data, signature = data, ...rest } = detail;
  return {
    type: "reasoning",
    content: textOfDetail(detail),
    ...(typeof signature === "string" && signature !== "" && { signature }),
    native: { from: signer, reasoning_detail: rest },
  };
}

/**
 * Returns the detail that the server expects back, or `undefined` if the part was not made from a detail of this
 * server.
 */
export function detailOf(part: Part & { readonly type: "reasoning" }, signer: string): Json | undefined {
  const detail = nativeOfSigner(part, signer)?.reasoning_detail;
  if (!isJson(detail)) return undefined;
  const { content, signature } = part;
  if (detail.type === "reasoning.encrypted") return { ...detail, data: signature };
  return { ...detail, [textField(detail.type)]: content, ...(signature !== undefined && { signature }) };
}
