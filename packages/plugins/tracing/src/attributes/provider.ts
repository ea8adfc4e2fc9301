/** The names that frameworks have for a provider, where the conventions have another word that must be used instead. */
const WELL_KNOWN = new Map(
  Object.entries({
    azure: "azure.ai.openai",
    "azure-openai": "azure.ai.openai",
    azure_openai: "azure.ai.openai",
    bedrock: "aws.bedrock",
    "amazon-bedrock": "aws.bedrock",
    aws_bedrock: "aws.bedrock",
    google: "gcp.gen_ai",
    gemini: "gcp.gemini",
    "google.generative-ai": "gcp.gemini",
    "google-generative-ai": "gcp.gemini",
    google_genai: "gcp.gen_ai",
    vertexai: "gcp.vertex_ai",
    vertex_ai: "gcp.vertex_ai",
    "google-vertex": "gcp.vertex_ai",
    "google.vertex": "gcp.vertex_ai",
    mistral: "mistral_ai",
    mistralai: "mistral_ai",
    xai: "x_ai",
    grok: "x_ai",
    "x.ai": "x_ai",
    moonshot: "moonshot_ai",
    moonshotai: "moonshot_ai",
    watsonx: "ibm.watsonx.ai",
  }),
);

/** The AI SDK appends the interface to its provider: `openai.responses`, `anthropic.messages`. */
const INTERFACE = /\.(?:chat|responses|messages|completion|language-model)$/;

/** `gen_ai.provider.name` of what a framework calls its provider: `xai.chat` is `x_ai`; an unknown one stays as it is. */
export function providerName(provider: string): string {
  const vendor = provider.toLowerCase().replace(INTERFACE, "");
  return WELL_KNOWN.get(vendor) ?? vendor;
}
