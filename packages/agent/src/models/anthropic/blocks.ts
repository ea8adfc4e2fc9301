import type Anthropic from "@anthropic-ai/sdk";
import type { BlobPart, FilePart, UriPart } from "@suite/core";
import { isEncryptedByOpenAI, nativeValue, type Site, textOfValue, unsendable } from "../wire/refusal.js";

export type Block = Anthropic.ContentBlockParam;

export const api = "Anthropic's messages API";

/** The block of a part; none of what the API would refuse: empty text, and reasoning that it did not sign. */
export function blockOf(site: Site): Block | undefined {
  const part = site.message.parts[site.at];
  switch (part?.type) {
    case "text":
      return part.content === "" ? undefined : { type: "text", text: part.content };
    case "reasoning":
      if (part.signature === undefined || isEncryptedByOpenAI(part)) return undefined;
      return { type: "thinking", thinking: part.content, signature: part.signature };
    case "tool_call":
      return { type: "tool_use", id: part.id, name: part.name, input: inputOf(part.arguments, site) };
    case "tool_call_response":
      return {
        type: "tool_result",
        tool_use_id: part.id,
        content: textOfValue(part.response, site),
        ...(part.isError === true && { is_error: true }),
      };
    case "server_tool_call":
      return own(part.serverToolCall, /^server_tool_use$/, site);
    case "server_tool_call_response":
      return own(part.serverToolCallResponse, /_tool_result$/, site);
    case "blob":
      return blobBlock(part, site);
    case "uri":
      return sourced(part, { type: "url", url: part.uri }, site);
    case "file":
      return sourced(part, { type: "file", file_id: part.fileId }, site);
    case "native":
      return nativeValue(part.value, site);
    default:
      throw unsendable(site);
  }
}

/** Arguments are an object here. Of what a model wrote that is none, the text goes back under a name that says so. */
function inputOf(args: unknown, site: Site): object {
  if (args === undefined) return {};
  if (typeof args === "object" && args !== null && !Array.isArray(args)) return args;
  return { INVALID_JSON: textOfValue(args, site) };
}

/** The API's own block of what a tool of the provider was asked, or answered. */
function own(block: { readonly type: string }, expected: RegExp, site: Site): Block {
  if (expected.test(block.type)) return block as Block;
  throw unsendable(site, "It is of another provider's tool. Leave it out.");
}

function blobBlock({ modality, mimeType, content }: BlobPart, site: Site): Block {
  if (mimeType === undefined) throw unsendable(site, "Give its mimeType.");
  const source = { type: "base64", data: content } as const;
  if (modality === "image") {
    const media_type = mimeType as Anthropic.Base64ImageSource["media_type"];
    return { type: "image", source: { ...source, media_type } };
  }
  if (modality === "document" && mimeType === "application/pdf") {
    return { type: "document", source: { ...source, media_type: mimeType } };
  }
  throw unsendable(site, "It takes images, and documents as application/pdf.");
}

type Source = Anthropic.URLImageSource | Anthropic.FileImageSource;

function sourced({ modality }: UriPart | FilePart, source: Source, site: Site): Block {
  if (modality === "image") return { type: "image", source };
  if (modality === "document") return { type: "document", source };
  throw unsendable(site, "It takes images and documents.");
}
