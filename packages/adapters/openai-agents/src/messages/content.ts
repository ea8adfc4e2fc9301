import type { Part } from "@suite/core";
import { isRecord } from "@suite/kit";

/** One piece of a message's content. */
export type Piece = Readonly<Record<string, unknown>>;

/** The original pieces of parts, so that unchanged parts are sent back unchanged. */
const pieces = new WeakMap<Part, Piece>();

/**
 * Converts a piece of content to a part. It gets a native form only if the piece or the message has fields that the
 * part lacks.
 *
 * @param native the message, if it has more fields.
 */
export function contentPart(piece: Piece, native?: object): Part {
  const part = native === undefined ? read(piece) : { ...read(piece), native: native };
  pieces.set(part, piece);
  return part;
}

/** Returns the original piece of a part. */
export const pieceOf = (part: Part): Piece | undefined => pieces.get(part);

function read(piece: Piece): Part {
  const native = piece.providerData === undefined ? {} : { native: piece };
  switch (piece.type) {
    case "input_text":
    case "output_text":
      return { type: "text", content: String(piece.text), ...native };
    case "refusal":
      return { type: "text", content: String(piece.refusal), ...native };
    case "input_image":
      return filePart(piece.image, "image", piece);
    case "input_file":
      return filePart(piece.file, "document", piece);
    default:
      return { type: "native", value: piece };
  }
}

function filePart(held: unknown, modality: string, piece: Piece): Part {
  if (isRecord(held) && typeof held.id === "string") return { type: "file", modality, fileId: held.id, native: piece };
  const uri = isRecord(held) ? held.url : held;
  return typeof uri === "string" ? { type: "uri", modality, uri, native: piece } : { type: "native", value: piece };
}

/** Converts a part without an original piece to a piece of a user's content. */
export function inputPiece(part: Part): Piece {
  switch (part.type) {
    case "text":
    case "compaction":
      return { type: "input_text", text: part.content ?? "" };
    case "uri":
      return part.modality === "image"
        ? { type: "input_image", image: part.uri }
        : { type: "input_file", file: { url: part.uri } };
    case "file":
      return part.modality === "image"
        ? { type: "input_image", image: { id: part.fileId } }
        : { type: "input_file", file: { id: part.fileId } };
    case "blob": {
      const data = `data:${part.mimeType ?? "application/octet-stream"};base64,${part.content}`;
      return part.modality === "image" ? { type: "input_image", image: data } : { type: "input_file", file: data };
    }
    case "native":
      return isRecord(part.value) ? part.value : { type: "input_text", text: String(part.value) };
    default:
      return { type: "input_text", text: JSON.stringify(part) };
  }
}
