import type { Message, Part } from "@suite/core";
import { treatValue } from "../redact/value.js";
import type { Treat } from "./treat.js";

/**
 * Whether the native form drops out: something is found in it where what was read of it is clean, since a framework's own object may hold more than its
 * reading here. It is then left out, and built anew by whoever needs it.
 */
export function dropsNative(owner: Part | Message, { text, passes }: Treat): boolean {
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

/** A file's own text is not looked through; what is written round it is. */
function withoutFile(text: string, files: readonly string[]): string {
  const file = files.find((each) => text.endsWith(each));
  return file === undefined ? text : text.slice(0, -file.length);
}
