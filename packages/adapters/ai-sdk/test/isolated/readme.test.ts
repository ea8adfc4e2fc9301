import { join } from "node:path";
import { afterAll, expect, it } from "@jest/globals";
import { startModelServer } from "@suite/testkit";
import { loadReadme, shape } from "../../../../../scripts/readme.mjs";

const server = await startModelServer();
afterAll(() => server.close());
Object.assign(process.env, { OPENAI_BASE_URL: `${server.url}/v1`, OPENAI_API_KEY: "none" });
// The framework reads the variables when it is loaded.
const readme = await loadReadme(join(import.meta.dirname, ".."));

it("the examples of the README run as they stand: the first leaks, the second prints what is shown", async () => {
  const answer = {
    text: "It has shipped. I will write to jane@x.com.",
    chunks: 4,
    usage: { inputTokens: 12, outputTokens: 9 },
  };
  server.script(answer, answer);
  expect(shape(await readme.run(0))).toBe(answer.text);
  expect(shape(await readme.run(1))).toBe(shape(readme.shown));
  expect(JSON.stringify(server.requests[1]?.body)).not.toContain("jane@x.com");
});
