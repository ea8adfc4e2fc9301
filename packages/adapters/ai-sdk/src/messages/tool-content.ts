import { type ContentPart, toolContentOf } from "@suite/core/messages";
import type { CallOptions, Model } from "../framework.js";

/**
 * Returns the call options with the content of tool results in the framework's form. Before that, it is the JSON of the
 * tool, because the form differs between major versions.
 */
export function withToolContent(params: CallOptions, model: Model): CallOptions {
  let changed = false;
  const prompt = params.prompt.map((message) => {
    if (message.role !== "tool") return message;
    let isChanged = false;
    const content = message.content.map((part) => {
      const output = part.type === "tool-result" ? part.output : undefined;
      const parts = output?.type === "json" ? toolContentOf(output.value) : undefined;
      if (parts === undefined) return part;
      isChanged = true;
      const pieceOf =
        String(model.specificationVersion) === "v3" ? pieceOf3 : (each: ContentPart) => pieceOf4(each, model);
      return { ...part, output: { ...output, type: "content", value: parts.map(pieceOf) } };
    });
    if (!isChanged) return message;
    changed = true;
    return { ...message, content };
  });
  return changed ? { ...params, prompt: prompt as CallOptions["prompt"] } : params;
}

const typeOf = ({ mimeType, modality }: Exclude<ContentPart, { type: "text" }>): string =>
  mimeType ?? (modality === "image" ? "image/*" : "application/octet-stream");

/** Returns a piece of content for models of specification 3. */
function pieceOf3(part: ContentPart): object {
  if (part.type === "text") return { type: "text", text: part.content };
  const kind = part.modality === "image" ? "image" : "file";
  if (part.type === "blob") return { type: `${kind}-data`, data: part.content, mediaType: typeOf(part) };
  if (part.type === "uri") return { type: `${kind}-url`, url: part.uri };
  return { type: kind === "image" ? "image-file-id" : "file-id", fileId: part.fileId };
}

/** Returns a piece of content for models of specification 4. */
function pieceOf4(part: ContentPart, { provider }: Model): object {
  if (part.type === "text") return { type: "text", text: part.content };
  const data = dataOf(part, provider);
  return data === undefined
    ? { type: "text", text: `[${typeOf(part)}]` }
    : { type: "file", mediaType: typeOf(part), data };
}

function dataOf(part: Exclude<ContentPart, { type: "text" }>, provider: string): object | undefined {
  if (part.type === "blob") return { type: "data", data: part.content };
  if (part.type === "uri") return URL.canParse(part.uri) ? { type: "url", url: new URL(part.uri) } : undefined;
  const [name = provider] = provider.split(".");
  return { type: "reference", reference: { [name]: part.fileId } };
}
