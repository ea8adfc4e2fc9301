export type { AudioChunk } from "./audio-chunk.js";
export { SpeechError, type SpeechErrorCode } from "./errors.js";
export { type SpeechOptions, speech } from "./speech.js";
export type { Synthesizer } from "./synthesizer.js";
