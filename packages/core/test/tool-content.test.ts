import { describe, expect, it } from "@jest/globals";
import { type ContentPart, type ToolContent, toolContent, toolContentOf } from "@suite/core/messages";

const image: ContentPart = { type: "blob", modality: "image", mimeType: "image/png", content: "iVBORw0KGgo=" };
const parts: readonly ContentPart[] = [
  { type: "text", content: "The page:" },
  image,
  { type: "uri", modality: "image", uri: "https://example.org/a.png" },
  { type: "file", modality: "document", fileId: "file_1" },
];

describe("the content of a tool's result", () => {
  it("has the parts that were given, a string as text, and keeps them through JSON", () => {
    const content = toolContent(["The page:", ...parts.slice(1)]);
    expect(toolContentOf(content)).toEqual(parts);
    expect(toolContentOf(JSON.parse(JSON.stringify(content)))).toEqual(parts);
    expect(toolContentOf(structuredClone(content))).toEqual(parts);
  });

  it("is nothing that a tool gives by chance: neither parts, nor what other frameworks take for content", () => {
    const alike: readonly unknown[] = [
      parts,
      image,
      { parts },
      { content: parts },
      { type: "content", value: parts },
      { content: [{ type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" }] },
      "text",
      null,
      undefined,
      7,
    ];
    for (const value of alike) expect(toolContentOf(value)).toBeUndefined();
  });

  it("is read only if all of it is content: other shapes make it an ordinary value", () => {
    const content = toolContent([image]);
    const [key = ""] = Object.keys(content);
    expect(toolContentOf({ ...content, more: 1 })).toBeUndefined();
    for (const wrong of ["x", [{ type: "text" }], [null], [{ ...image, content: 1 }], [{ ...image, mimeType: 1 }]]) {
      expect(toolContentOf({ [key]: wrong })).toBeUndefined();
    }
    const throws = new Proxy(
      {},
      {
        get() {
          throw new Error("no");
        },
      },
    );
    expect(toolContentOf(throws)).toBeUndefined();
  });

  it.each([
    ["a part of another type", { type: "reasoning", content: "x" }],
    ["bytes that are no base64 text", { ...image, content: new Uint8Array(3) }],
    ["no part", 7],
  ])("is refused with %s", (_, wrong) => {
    const make = (): ToolContent => toolContent([wrong as unknown as ContentPart]);
    expect(make).toThrow(expect.objectContaining({ code: "ERR_INVALID_CONTENT" }));
  });
});
