import OpenAI from "openai";
import type { Synthesizer } from "./synthesizer.js";

/** The formats that the speech API gives, by their media types. */
const mediaTypes = {
  mp3: "audio/mpeg",
  opus: "audio/ogg",
  aac: "audio/aac",
  flac: "audio/flac",
  wav: "audio/wav",
  pcm: "audio/L16;rate=24000;channels=1",
} as const;

/** The options of `openaiSpeech`. */
export interface OpenAISpeechOptions {
  /** A client of your own; the two below are then its business. */
  readonly client?: OpenAI;
  /** The API key. Default `OPENAI_API_KEY`. */
  readonly apiKey?: string;
  /** The address of any server that has the same speech API. Default `OPENAI_BASE_URL`, else OpenAI's. */
  readonly baseURL?: string;
  /** The voice. Default `alloy`. */
  readonly voice?: string;
  /** The format of the audio. Default `mp3`, whose pieces may be put behind each other. */
  readonly format?: keyof typeof mediaTypes;
  /** The way in which to speak, for models that take that. */
  readonly instructions?: string;
  /** The speed, where 1 is that of the voice. */
  readonly speed?: number;
}

/**
 * A synthesiser on OpenAI's speech API, or on a server that has the same. Needs the `openai` package. Audio is given as it comes.
 *
 * @throws what the SDK throws, unchanged, where it has no credentials.
 * @example
 * ```ts
 * openaiSpeech("gpt-4o-mini-tts", { voice: "coral", format: "opus" });
 * ```
 */
export function openaiSpeech(model: string, options: OpenAISpeechOptions = {}): Synthesizer {
  const { apiKey, baseURL, voice = "alloy", format = "mp3", instructions, speed } = options;
  const client =
    options.client ??
    new OpenAI({
      maxRetries: 0,
      logLevel: "off",
      ...(apiKey !== undefined && { apiKey }),
      ...(baseURL !== undefined && { baseURL }),
    });
  return {
    mediaType: mediaTypes[format],
    async *synthesize(input, { signal }) {
      const response = await client.audio.speech.create(
        {
          model,
          input,
          voice,
          response_format: format,
          ...(instructions !== undefined && { instructions }),
          ...(speed !== undefined && { speed }),
        },
        { signal },
      );
      if (response.body !== null) yield* response.body as unknown as AsyncIterable<Uint8Array>;
    },
  };
}
