import { execFileSync } from "node:child_process";
import { describe, expect, it } from "@jest/globals";
import { isBase64, takenType } from "@suite/kit/files";

describe("the type of a file", () => {
  it.each([
    ["image/png", "iVBORw0KGgo="],
    ["image/jpeg", "/9j/4AAQSkZJRg=="],
    ["image/gif", Buffer.from("GIF89a").toString("base64")],
    ["image/webp", Buffer.from("RIFF....WEBP").toString("base64")],
    ["application/pdf", Buffer.from("%PDF-1.7").toString("base64")],
  ])("is %s by its bytes", (type, base64) => {
    expect(takenType(base64)).toBe(type);
  });

  it.each([
    ["another image", Buffer.from("<svg/>").toString("base64")],
    ["a sound", Buffer.from("RIFF....WAVE").toString("base64")],
    ["what is no base64", "iVBORw0KGgo=!"],
    ["what ends early", "iVBORw0KGg"],
    ["nothing", ""],
    ["what was padded inside", "iVBORw0K=Ggo"],
  ])("is unknown of %s", (_, text) => {
    expect(takenType(text)).toBeUndefined();
  });

  it("takes no longer than the text is long", () => {
    const start = performance.now();
    expect(isBase64(`${"A".repeat(8_000_003)}!`)).toBe(false);
    expect(isBase64("A".repeat(8_000_004))).toBe(true);
    expect(performance.now() - start).toBeLessThan(2000);
  });

  it("takes no stack for it where V8 does not optimise expressions, as in a process that has compiled many", () => {
    const program = `${isBase64}; process.stdout.write(String(isBase64("A".repeat(8_000_004))))`;
    const printed = execFileSync(process.execPath, ["--no-regexp-optimization", "-e", program], { stdio: "pipe" });
    expect(String(printed)).toBe("true");
  });
});
