import { afterAll, expect, it } from "@jest/globals";
import { fetchWithPlugins } from "@suite/fetch";
import { post, sse, urls, watching } from "../fake.js";

const Original = globalThis.Response;

/** A `Response` as a web framework's server replaces it: it uses the `Headers` that it receives, without a copy. */
class Replaced extends Original {
  constructor(body?: BodyInit | null, init?: ResponseInit) {
    super(body, init);
    const { headers } = init ?? {};
    if (headers instanceof Headers) Object.defineProperty(this, "headers", { value: headers });
  }
}

/** Headers of a response of `fetch`, which cannot be changed. */
class Immutable extends Headers {
  override delete(): void {
    throw new TypeError("immutable");
  }
}

afterAll(() => {
  globalThis.Response = Original;
});

it("fetchWithPlugins streams an answer if the global Response was replaced by a web framework", async () => {
  const fetch = async () => {
    const response = sse("data: {}\n\n");
    const headers = new Immutable([...response.headers, ["transfer-encoding", "chunked"]]);
    return Object.defineProperty(response, "headers", { value: headers });
  };
  const wrapped = fetchWithPlugins([watching], fetch);
  globalThis.Response = Replaced;
  const answer = await post(wrapped, urls.chat, { model: "m", messages: [], stream: true });
  expect(await answer.text()).toBe("data: {}\n\n");
  expect([...answer.headers.keys()]).toEqual(["content-type"]);
});
