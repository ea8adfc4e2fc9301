import { mixed } from "../checks.js";
import type { Formats } from "../format.js";

/** Models, and the tools around them. */
export const ai: Formats = {
  Anthropic: [["sk-ant-", /(?:api|admin|oat|ort)\d\d-[\w-]{95}/]],
  OpenAI: [["sk-", /[\w-]{20,120}T3BlbkFJ[\w-]{20,80}/]],
  /**
   * The formats that many providers took over from OpenAI's first keys: DeepSeek, Moonshot, Stability, Braintrust,
   * LiteLLM.
   */
  "sk- keys": [
    ["sk-", /[\dA-Za-z]{48}|[\da-f]{32}/],
    ["sk-", /(?:[a-z]{2,12}\d{0,2}-){0,3}[\dA-Za-z]{22,64}/, mixed],
  ],
  OpenRouter: [["sk-or-v1-", /[\da-f]{64}/]],
  Langfuse: [["sk-lf-", /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/]],
  Helicone: [["sk-helicone-", /[\da-z-]{20,60}/]],
  LangSmith: [
    ["lsv2_pt_ lsv2_sk_", /[\da-f]{32}_[\da-f]{10}/],
    ["ls__", /[\da-f]{32}/],
  ],
  ElevenLabs: [["sk_", /[\da-f]{48}/]],
  "Hugging Face": [["hf_ api_org_", /[\dA-Za-z]{34}/]],
  Groq: [["gsk_", /[\dA-Za-z]{50,54}/]],
  Perplexity: [["pplx-", /[\dA-Za-z]{48}|[\dA-Za-z]{56}/]],
  Replicate: [["r8_", /[\w-]{37}/]],
  xAI: [["xai-", /\w{80}/]],
  Fireworks: [["fw_", /[\dA-Za-z]{22,24}/, mixed]],
  Together: [["tgp_v1_", /[\w-]{43}/]],
  Cerebras: [["csk-", /[\da-z]{48}/]],
  NVIDIA: [["nvapi-", /[\w-]{60,70}/]],
  Voyage: [["pa-", /[\w-]{43}/, mixed]],
  Jina: [["jina_", /[\w-]{60}/]],
  Pinecone: [["pcsk_", /[\dA-Za-z]{5,6}_[\dA-Za-z]{63}/]],
  Tavily: [["tvly- tvly-dev- tvly-prod-", /[\dA-Za-z]{32}/]],
  Firecrawl: [["fc-", /[\da-f]{32}/]],
  RunPod: [["rpa_", /[\dA-Za-z]{40,60}/]],
  Modal: [["ak- as-", /[\dA-Za-z]{22}/, mixed]],
  Apify: [["apify_api_", /[\dA-Za-z]{34,40}/]],
  Alchemy: [["alcht_", /[\dA-Za-z]{30}/]],
  Voiceflow: [["VF.", /(?:(?:DM|WS)\.)?[\da-fA-F]{24}\.[\dA-Za-z]{16}/]],
  E2B: [["e2b_", /[\da-f]{40}/]],
  Browserbase: [["bb_live_", /[\w-]{27}/]],
  "Weights & Biases": [["wandb_v1_", /[\w-]{40,90}/]],
  "Pydantic Logfire": [["pylf_v1_us_ pylf_v1_eu_", /[\dA-Za-z]{43}/]],
};
