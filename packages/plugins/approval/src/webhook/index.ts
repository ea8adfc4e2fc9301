export { type DecisionHandlerOptions, decisionHandler } from "./receive.js";
export { type WebhookOptions, webhook } from "./send.js";
export type { WebhookSecrets } from "./signature.js";
