import type { Message, Part } from "@suite/core";
import { type BlobPart, type ContentPart, toolContent, toolContentOf, type UriPart } from "@suite/core/messages";
import { toBase64 } from "@suite/kit";
import { treatValue } from "../redact/value.js";
import { headOfFile, type Treat } from "./treat.js";

/** Fields that name things of the protocol, and never hold what people wrote. */
const exempt = new Set(["type", "id", "name", "modality", "mimeType", "fileId"]);

/**
 * Treats one part. Returns the part itself if nothing changed, a copy without its native form if something did, or
 * `undefined` if it must be removed.
 */
export function treatPart(part: Part, treat: Treat): Part | undefined {
  const treated = treatContent(part, treat);
  return treated === part ? withoutFoundNative(part, treat) : treated;
}

/** Itself, or without its native form where something is found in that. */
export function withoutFoundNative<T extends Part | Message>(owner: T, treat: Treat): T {
  return dropsNative(owner, treat) ? (withoutNative(owner) as T) : owner;
}

function treatContent(part: Part, treat: Treat): Part | undefined {
  switch (part.type) {
    case "text":
    case "compaction": {
      const text = part.type === "text" ? treat.messageText : treat.text;
      const content = part.content === undefined ? undefined : text(part.content);
      return content === part.content ? part : ({ ...withoutNative(part), content } as Part);
    }
    case "reasoning": {
      const content = treat.text(part.content);
      if (content === part.content) return part;
      // Signed reasoning must stay unchanged, otherwise it is dropped.
      return part.signature === undefined ? { ...withoutNative(part), content } : undefined;
    }
    case "blob":
      return isTextBlob(part) ? treatBlob(part, treat) : unscanned(part, treat);
    case "file":
      return unscanned(part, treat);
    case "uri":
      // The URL is never fetched, so its content cannot be checked.
      return unscanned(part, treat) && treatUri(part, treat);
    default:
      return treatFields(part, treat);
  }
}

const unscanned = (part: Part, { passes }: Treat): Part | undefined => (passes() ? part : undefined);

function treatBlob(part: BlobPart, treat: Treat): Part | undefined {
  const content = treatTextBlob(part, treat.text);
  if (content === undefined) return unscanned(part, treat);
  return content === part.content ? part : { ...withoutNative(part), content };
}

function treatUri(part: UriPart, treat: Treat): Part {
  const head = headOfFile(part.uri);
  const treated = treat.value(head ?? part.uri);
  if (treated === (head ?? part.uri)) return part;
  return { ...withoutNative(part), uri: `${treated}${head === undefined ? "" : part.uri.slice(head.length)}` };
}

function treatFields(part: Part, treat: Treat): Part {
  let copy: Record<string, unknown> | undefined;
  for (const [key, value] of Object.entries(part)) {
    if (exempt.has(key) || key === "native") continue;
    const treated = key === "response" ? treatResult(value, treat) : treat.value(value);
    if (Object.is(treated, value)) continue;
    copy ??= { ...withoutNative(part) };
    copy[key] = treated;
  }
  return (copy as Part | undefined) ?? part;
}

/** The result of a tool treated: content part by part, as in a message, and any other value as a value. */
export function treatResult(result: unknown, treat: Treat): unknown {
  const parts = toolContentOf(result);
  if (parts === undefined) return treat.value(result);
  const treated = treatParts(parts, { ...treat, messageText: treat.text });
  return treated === parts ? result : toolContent(treated as readonly ContentPart[]);
}

/** One message treated: itself where nothing changed. */
export function treatMessage(message: Message, treat: Treat): Message {
  const parts = treatParts(message.parts, treat, isSigned);
  const name = message.name === undefined ? undefined : treat.messageText(message.name);
  if (parts === message.parts && name === message.name) return withoutFoundNative(message, treat);
  return { ...withoutNative(message), ...(name !== undefined && { name }), parts };
}

/** Parts treated: the same list where nothing changed. What holds an image alone is not empty without it: providers refuse that. */
function treatParts(
  parts: readonly Part[],
  treat: Treat,
  passes: (part: Part) => boolean = () => false,
): readonly Part[] {
  let changed = false;
  const remaining: Part[] = [];
  for (const part of parts) {
    const treated = passes(part) ? part : treatPart(part, treat);
    if (treated !== part) changed = true;
    if (treated !== undefined) remaining.push(treated);
  }
  if (!changed) return parts;
  const [first] = parts;
  if (remaining.length > 0 || first === undefined || !("modality" in first)) return remaining;
  return [{ type: "text", content: `[REMOVED_${first.modality.toUpperCase()}]` }];
}

/**
 * Returns true for reasoning signed by its provider. It is returned to that provider unchanged, because the provider
 * wrote it and rejects a request in which it is missing or changed. Adapters do not send it to other providers.
 */
const isSigned = (part: Part): boolean => part.type === "reasoning" && part.signature !== undefined;

function withoutNative<T extends object>(owner: T): Omit<T, "native"> {
  const { native: _, ...rest } = owner as T & { readonly native?: unknown };
  return rest;
}

/**
 * Returns true if the native form must be dropped: it has findings although the neutral form is clean, because a
 * framework's native object may contain more. The framework then builds it again.
 */
function dropsNative(owner: Part | Message, { text, passes }: Treat): boolean {
  const native = "native" in owner ? owner.native : undefined;
  if (native === undefined) return false;
  const files = filesOf(owner);
  let found = false;
  treatValue(
    native,
    (original, before) => {
      const rest = withoutFile(original, files);
      if (text(rest, before) !== rest) found = true;
      return original;
    },
    (content) => {
      if (!passes()) found = true;
      return content;
    },
  );
  return found;
}

/** The files that are there themselves, in base64: no text. */
function filesOf(owner: Part | Message): readonly string[] {
  const parts = "parts" in owner ? owner.parts : [owner];
  return parts.flatMap((part) => (part.type === "blob" && part.content.length > 64 ? [part.content] : []));
}

/** Removes a file's content from a string. Only the text around it is checked. */
function withoutFile(text: string, files: readonly string[]): string {
  const file = files.find((each) => text.endsWith(each));
  return file === undefined ? text : text.slice(0, -file.length);
}

const texts = /^(?:text\/|application\/(?:[\w.+-]*\+)?(?:json|xml|yaml|x-ndjson|sql)\b)/i;

/** Returns true if the type of a blob is a text type. */
const isTextBlob = ({ mimeType }: BlobPart): boolean => mimeType !== undefined && texts.test(mimeType);

/**
 * Treats the content of a blob with text. Returns it unchanged if nothing changed, or `undefined` if it is not base64 or
 * not UTF-8.
 */
function treatTextBlob({ content }: BlobPart, treat: (text: string) => string): string | undefined {
  const text = decoded(content);
  if (text === undefined) return undefined;
  const treated = treat(text);
  return treated === text ? content : toBase64(new TextEncoder().encode(treated));
}

function decoded(base64: string): string | undefined {
  try {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
