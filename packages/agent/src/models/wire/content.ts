import { type Message, text } from "@suite/core";
import { type BlobPart, type FilePart, toolContentOf, type UriPart } from "@suite/core/messages";
import { isBase64, takenType } from "@suite/kit/files";
import { isJson } from "@suite/wire";
import { AgentError } from "../../errors.js";

/** A part of a request, by its place. */
export interface Site {
  readonly api: string;
  readonly message: Message;
  /** The index of the message in the request. */
  readonly index: number;
  /** The index of the part in the message. */
  readonly at: number;
}

const modalities: ReadonlySet<string> = new Set(["image", "video", "audio", "document"]);

/** Creates the error for a part that an API does not accept: its type and its place, without its content. */
export function unsendable({ api, message, index, at }: Site, advice = "Remove it, or pass it as text."): AgentError {
  const part = message.parts[at];
  const modality =
    part !== undefined && "modality" in part && modalities.has(part.modality) ? ` (${part.modality})` : "";
  return new AgentError(
    "ERR_AGENT_MODEL_REQUEST",
    `${api} takes no such ${part?.type} part${modality} in a ${message.role} message: messages[${index}].parts[${at}]. ${advice}`,
  );
}

/** Returns a value as a string for the model: a string unchanged, anything else as JSON. */
export function textOfValue(value: unknown, site: Site): string {
  if (typeof value === "string") return value;
  try {
    return JSON.stringify(value) ?? "";
  } catch {
    throw unsendable(site, "Its value cannot be serialized as JSON: it contains a cycle or a bigint.");
  }
}

/** Returns the value of a native part, which is sent unchanged. */
export function nativeValue<T extends object>(value: unknown, site: Site): T {
  if (typeof value === "object" && value !== null) return value as T;
  throw unsendable(site, "A native part must contain an object of this API.");
}

/** An image or another file, as a part. */
export type Media = BlobPart | UriPart | FilePart;

/** A piece of a tool's result for an API: text, or a file in the format of the API. */
export type ResultPiece<C> = { readonly text: string } | { readonly media: C; readonly part: Media };

/**
 * Returns the pieces of a tool's result. Files of a tool are untrusted, and one that an API refuses would end the run
 * and each run that continues its history. Such a file is replaced by a description.
 *
 * @param send converts a file to the format of the API. Returns `undefined` for an unsupported file.
 */
export function resultPieces<C>(
  response: unknown,
  site: Site,
  send: (part: Media) => C | undefined,
): readonly ResultPiece<C>[] {
  const parts = toolContentOf(response) ?? [text(textOfValue(response, site))];
  return parts.map((contentPart) => {
    if (contentPart.type === "text") return { text: contentPart.content };
    const part = sendable(contentPart);
    const media = part === undefined ? undefined : send(part);
    return media === undefined || part === undefined ? { text: inWords(contentPart) } : { media, part };
  });
}

/** Returns the file, with the type of its bytes, if a provider can read it. Returns `undefined` otherwise. */
function sendable(part: Media): Media | undefined {
  if (part.type === "file") return part.fileId === "" ? undefined : part;
  if (part.type === "uri") return /^https?:\/\/[^\s]+$/i.test(part.uri) ? part : undefined;
  const { modality, content } = part;
  if (modality !== "image" && modality !== "document") return isBase64(content) ? part : undefined;
  const mimeType = takenType(content);
  if (mimeType === undefined || (modality === "image") === (mimeType === "application/pdf")) return undefined;
  return mimeType === part.mimeType ? part : { ...part, mimeType };
}

const words = /^[\w.+-]{1,64}(?:\/[\w.+-]{1,64})?$/;

/** The maximum length of an address in the description of a file. */
const longestAddress = 2000;

function inWords(part: Media): string {
  const fileType = part.mimeType ?? part.modality;
  const kind = words.test(fileType) ? fileType : "file";
  const location = part.type === "uri" && part.uri.length <= longestAddress ? `, ${part.uri}` : "";
  return `[A file (${kind}${location}) that cannot be shown here.]`;
}

/**
 * True for encrypted reasoning of OpenAI's responses API, which is not a signature of Anthropic's. A part that was
 * rewritten is neither.
 */
export const isEncryptedByOpenAI = ({ native }: { readonly native?: unknown }): boolean =>
  isJson(native) && native.type === "reasoning";

/** True if another provider than Anthropic signed the reasoning. */
export const isSignedElsewhere = (part: { readonly native?: unknown }): boolean =>
  isEncryptedByOpenAI(part) || (isJson(part.native) && "reasoning_detail" in part.native);
