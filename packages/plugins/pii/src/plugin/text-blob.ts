import type { BlobPart } from "@suite/core";

const texts = /^(?:text\/|application\/(?:[\w.+-]*\+)?(?:json|xml|yaml|x-ndjson|sql)\b)/i;

/** Whether the bytes of a blob are text, as its type says. */
export const isTextBlob = ({ mimeType }: BlobPart): boolean => mimeType !== undefined && texts.test(mimeType);

/** The content of a text blob, treated; itself where nothing changed, undefined where it is no base64 or no UTF-8. */
export function treatTextBlob({ content }: BlobPart, treat: (text: string) => string): string | undefined {
  const text = decoded(content);
  if (text === undefined) return undefined;
  const treated = treat(text);
  return treated === text ? content : encoded(treated);
}

function decoded(base64: string): string | undefined {
  try {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function encoded(text: string): string {
  let binary = "";
  for (const byte of new TextEncoder().encode(text)) binary += String.fromCharCode(byte);
  return btoa(binary);
}
