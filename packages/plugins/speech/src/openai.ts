import OpenAI from "openai";
import type { Synthesizer } from "./synthesizer.js";

/** The output formats of the speech API, with their media types. */
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
  /** A custom client. `apiKey` and `baseURL` are then ignored. */
  readonly client?: OpenAI;
  /** The API key. Default `OPENAI_API_KEY`. */
  readonly apiKey?: string;
  /** The address of a server with the same speech API. Default `OPENAI_BASE_URL`, otherwise OpenAI's. */
  readonly baseURL?: string;
  /** The voice. Default `alloy`. */
  readonly voice?: string;
  /** The audio format. Default `mp3`, whose chunks can be concatenated. */
  readonly format?: keyof typeof mediaTypes;
  /** Instructions for the voice, for models that support them. */
  readonly instructions?: string;
  /** The speed. 1 is the normal speed of the voice. */
  readonly speed?: number;
}

/**
 * Creates a synthesiser on OpenAI's speech API, or on a compatible server. Needs the `openai` package. Audio is
 * streamed.
 *
 * @throws the unchanged error of the SDK if it has no credentials.
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
