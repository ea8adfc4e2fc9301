import type { Addressed } from "../neutral/request.js";

const ports: Readonly<Record<string, number>> = { __proto__: null as never, "http:": 80, "https:": 443 };

/** Hosts by the end of their name, under OpenTelemetry's names (`gen_ai.provider.name`). */
const providers: readonly (readonly [string, string])[] = [
  ["openai.azure.com", "azure.ai.openai"],
  ["services.ai.azure.com", "azure.ai.inference"],
  ["deepseek.com", "deepseek"],
  ["groq.com", "groq"],
  ["mistral.ai", "mistral_ai"],
  ["perplexity.ai", "perplexity"],
  ["x.ai", "x_ai"],
];

/** The provider and the server, as far as the address tells. */
export function addressOf({ hostname, port, protocol }: URL, provider: string): Addressed {
  const number = port === "" ? ports[protocol] : Number(port);
  const own = providers.find(([end]) => hostname === end || hostname.endsWith(`.${end}`));
  return {
    provider: own?.[1] ?? provider,
    server: { address: hostname, ...(number !== undefined && { port: number }) },
  };
}
