import { type Json, objectsOf, stringOf } from "@suite/wire";

/** A piece of an answer's content: text, or a thought of the model. */
export interface ContentPiece {
  readonly type: "text" | "reasoning";
  readonly content: string;
}

/**
 * Reads the content of a message or a delta: a string, or a list, as Mistral's reasoning models send it. Items of the list that are
 * neither text nor thinking (references, for example) are left out.
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

const textOfItem = ({ text }: Json): string => stringOf(text);
