/** OpenTelemetry's provider names (`gen_ai.provider.name`) that differ from the framework's. */
const words: Readonly<Record<string, string>> = {
  __proto__: null as never,
  "amazon-bedrock": "aws.bedrock",
  bedrock: "aws.bedrock",
  azure: "azure.ai.openai",
  "google.generative-ai": "gcp.gemini",
  "google.vertex": "gcp.vertex_ai",
  mistral: "mistral_ai",
  vertex: "gcp.vertex_ai",
  xai: "x_ai",
};

/** Cache of provider names, by the framework's name. A program uses only a few. */
const lookedUp = new Map<string, string>();

/** Returns the provider name of OpenTelemetry's conventions, for example `openai` for `openai.chat`. */
export function providerOf(name: string): string {
  let found = lookedUp.get(name);
  if (found === undefined) {
    found = lookUp(name);
    if (lookedUp.size < 1000) lookedUp.set(name, found);
  }
  return found;
}

function lookUp(name: string): string {
  const known = Object.keys(words).find((word) => name === word || name.startsWith(`${word}.`));
  return known === undefined ? (name.split(".", 1)[0] ?? name) : (words[known] ?? name);
}
