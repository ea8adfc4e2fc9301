export { type AnthropicOptions, anthropic } from "./models/anthropic/model.js";
