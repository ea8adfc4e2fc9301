import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "@jest/globals";
import { providerName } from "../src/provider.js";
import { ATTR, OPERATION, SCHEMA_URL, TOOL_TYPE_FUNCTION } from "../src/semconv.js";
import { VERSION } from "../src/version.js";

const DATA = join(import.meta.dirname, "../../../../../shared/semconv/genai-semconv.json");

interface Conventions {
  readonly $about: { readonly schema_url: string };
  readonly attributes: Readonly<Record<string, { readonly members?: readonly string[] }>>;
}

it("has the version of the package in the scope", () => {
  const manifest = JSON.parse(readFileSync(join(import.meta.dirname, "../package.json"), "utf8")) as {
    version: string;
  };
  expect(VERSION).toBe(manifest.version);
});

const checked = existsSync(DATA) || process.env.CI !== undefined;
if (!checked) console.info("skipped: no ../shared/semconv/genai-semconv.json beside this repository");
(checked ? it : it.skip)("uses only names that the conventions define", () => {
  const data = JSON.parse(readFileSync(DATA, "utf8")) as Conventions;
  expect(SCHEMA_URL).toBe(data.$about.schema_url);
  expect(Object.values(ATTR).filter((name) => !(name in data.attributes))).toEqual([]);
  const operations = data.attributes[ATTR.operationName]?.members;
  expect(Object.values(OPERATION).filter((name) => !operations?.includes(name))).toEqual([]);
  expect(TOOL_TYPE_FUNCTION).toBe("function");
});

it.each([
  ["openai.responses", "openai"],
  ["anthropic.messages", "anthropic"],
  ["google.vertex.chat", "gcp.vertex_ai"],
  ["amazon-bedrock", "aws.bedrock"],
  ["Mistral", "mistral_ai"],
  ["azure.ai.openai", "azure.ai.openai"],
  ["constructor", "constructor"],
  ["my-own", "my-own"],
])("calls the provider %s %s", (given, name) => {
  expect(providerName(given)).toBe(name);
});
