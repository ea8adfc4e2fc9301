export { type OpenAIOptions, openai } from "./models/openai/model.js";
export { type OpenAIResponsesOptions, openaiResponses } from "./models/responses/model.js";
