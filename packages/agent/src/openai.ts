export { type OpenAIOptions, openai } from "./models/openai/model.js";
