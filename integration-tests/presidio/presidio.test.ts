import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { createRedactor, type Finding, type Rule } from "@suite/pii";
import { presidio } from "../../examples/presidio/presidio.js";

const python = process.env.PRESIDIO_PYTHON;
const withPresidio = python === undefined ? describe.skip : describe;

let server: ChildProcess | undefined;
let address = "";

beforeAll(async () => {
  if (python === undefined) return;
  server = spawn(python, [join(import.meta.dirname, "server.py")], { stdio: ["pipe", "pipe", "inherit"] });
  const [port] = await Promise.race([
    once(server.stdout as NodeJS.ReadableStream, "data"),
    once(server, "exit").then(() => Promise.reject(new Error("Presidio's server has ended."))),
  ]);
  address = `http://127.0.0.1:${String(port).trim()}`;
}, 120_000);

afterAll(async () => {
  if (server === undefined) return;
  const gone = once(server, "exit");
  server.stdin?.end();
  await gone;
});

const redactor = (rule: Partial<Rule> = {}, language = "en") =>
  createRedactor({
    email: "redact",
    person: { recognizer: presidio(address, ["PERSON"], language), strategy: "redact", ...rule },
    nhs: { recognizer: presidio(address, ["UK_NHS"], language), strategy: "redact", ...rule },
  });

withPresidio("a Presidio server as a recogniser", () => {
  const text = "😀😀 Ada Lovelace (patient 943 476 5919, ada@x.com) met Zoë 😀 👩‍👩‍👧 — no 943 476 5918.";
  const treated =
    "😀😀 [REDACTED_PERSON] (patient [REDACTED_NHS], [REDACTED_EMAIL]) met [REDACTED_PERSON] 👩‍👩‍👧 — no 943 476 5918.";

  it("finds the same values as Presidio, at UTF-16 positions, in addition to our own types", async () => {
    expect(await redactor().redactAsync(text)).toBe(treated);
    const values: string[] = [];
    const strategy = ({ value }: Finding): string => `${values.push(value)}`;
    await redactor({ strategy }).redactAsync(text);
    expect(values).toEqual(["Ada Lovelace", "943 476 5919", "Zoë 😀"]);
  });

  it("finds it in values and in streams, too", async () => {
    expect(await redactor().valueAsync({ to: ["Ada Lovelace", 1], note: text })).toEqual({
      to: ["[REDACTED_PERSON]", 1],
      note: treated,
    });
    for (const rule of [{}, { maxLength: 20 }]) {
      const whole = `${"😀 and so on. ".repeat(150)}${text}`.repeat(2);
      const stream = redactor(rule).streamAsync();
      let out = "";
      for (let at = 0; at < whole.length; at += 333) out += await stream.push(whole.slice(at, at + 333));
      expect(out + (await stream.end())).toBe(`${"😀 and so on. ".repeat(150)}${treated}`.repeat(2));
    }
  });

  it("takes halves of surrogate pairs", async () => {
    expect(await redactor().redactAsync("\ud83d Ada Lovelace \ude00")).toBe("\ud83d [REDACTED_PERSON] \ude00");
  });

  it("that answers with an error, or not at all, is an error with the name of the rule, or ignored", async () => {
    await expect(redactor({}, "xx").redactAsync(text)).rejects.toMatchObject({
      code: "ERR_PII_DETECTION_FAILED",
      message: expect.not.stringContaining("Ada"),
    });
    expect(await redactor({ onRecognizerError: "ignore" }, "xx").redactAsync(text)).toBe(
      text.replace("ada@x.com", "[REDACTED_EMAIL]"),
    );
    const nobody = createRedactor({
      person: { recognizer: presidio("http://127.0.0.1:1", ["PERSON"]), strategy: "redact" },
    });
    await expect(nobody.redactAsync(text)).rejects.toMatchObject({ types: ["person"] });
  });
});
