import { expect, it } from "@jest/globals";
import { loadReadme, shape } from "../../../../scripts/readme.mjs";
import { useServer } from "./support.js";

const on = useServer();
process.env.OPENAI_API_KEY = "none";
const readme = await loadReadme(import.meta.dirname);

it("the README's complete example runs as printed, and prints the output below it", async () => {
  on.server.script({ text: "You are ada@mail.example." });
  process.env.OPENAI_BASE_URL = `${on.server.url}/v1`;
  expect(shape(await readme.run(1))).toBe(shape(readme.shown));
  expect(JSON.stringify(on.server.requests[0]?.body)).toContain("I am [REDACTED_EMAIL]. Who are you?");
});
