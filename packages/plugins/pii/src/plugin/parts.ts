import type { Message, Part } from "@suite/core";

/** How texts and other values are treated. What holds nothing to change is given back itself. */
export interface Treat {
  readonly text: (text: string) => string;
  readonly value: (value: unknown) => unknown;
}

/** Fields that name things of the protocol, and never hold what people wrote. */
const exempt = new Set(["type", "id", "name", "modality", "mimeType", "fileId"]);

/** One part treated: itself where nothing changed, a copy without its native form where something did, undefined where it must go. */
export function treatPart(part: Part, treat: Treat): Part | undefined {
  switch (part.type) {
    case "text":
    case "compaction": {
      const content = part.content === undefined ? undefined : treat.text(part.content);
      return content === part.content ? part : ({ ...withoutNative(part), content } as Part);
    }
    case "reasoning": {
      const content = treat.text(part.content);
      if (content === part.content) return part;
      // Signed reasoning is passed on as it is, or not at all.
      return part.signature === undefined ? { ...withoutNative(part), content } : undefined;
    }
    case "blob":
    case "file":
      return part;
    default:
      return treatFields(part, treat);
  }
}

function treatFields(part: Part, treat: Treat): Part {
  let copy: Record<string, unknown> | undefined;
  for (const [key, value] of Object.entries(part)) {
    if (exempt.has(key) || key === "native") continue;
    const treated = treat.value(value);
    if (Object.is(treated, value)) continue;
    copy ??= { ...withoutNative(part) };
    copy[key] = treated;
  }
  return (copy as Part | undefined) ?? part;
}

/** One message treated: itself where nothing changed. */
export function treatMessage(message: Message, treat: Treat): Message {
  let changed = false;
  const parts: Part[] = [];
  for (const part of message.parts) {
    const treated = treatPart(part, treat);
    if (treated !== part) changed = true;
    if (treated !== undefined) parts.push(treated);
  }
  const name = message.name === undefined ? undefined : treat.text(message.name);
  if (!changed && name === message.name) return message;
  return { ...withoutNative(message), ...(name !== undefined && { name }), parts };
}

function withoutNative<T extends object>(whole: T): Omit<T, "native"> {
  const { native: _, ...rest } = whole as T & { readonly native?: unknown };
  return rest;
}
