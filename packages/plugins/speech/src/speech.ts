import { type Delta, definePlugin, onAbort, type Plugin, type RuntimeContext, stateKey } from "@suite/core";
import { isObject } from "@suite/kit";
import { amount, callable, count, oneOf, name as text, time } from "@suite/kit/options";
import type { AudioChunk } from "./audio-chunk.js";
import { checkOptions, invalid } from "./options.js";
import { Speaker } from "./speaker.js";
import type { Synthesizer } from "./synthesizer.js";

/** Marks a run with a stream: its model calls are then streamed, too. */
const streamedKey = stateKey<boolean>("speech.streamed", () => false);

/** The options of `speech`. */
export interface SpeechOptions {
  /** The name on spans and in records. Default: `speech`. */
  readonly name?: string;
  /** Converts text to audio. */
  readonly synthesizer: Synthesizer;
  /** The spoken unit: a complete block of text, or each sentence while it streams. Default: `block`. */
  readonly speak?: "block" | "sentence";
  /** The language whose rules end sentences, as a BCP 47 tag. Default: that of the process. */
  readonly locale?: string;
  /** The most characters of one block that are spoken. The rest is not spoken. Default: 20 000. */
  readonly maxCharacters?: number;
  /** The most bytes of audio of one block. Default: 64 MiB. */
  readonly maxBytes?: number;
  /** Milliseconds within which a synthesiser must have spoken one block or one sentence. Default: 60 000. */
  readonly timeout?: number;
  /**
   * Called with each chunk of audio. Use it if the framework's stream carries no events or the events are not read. An
   * error that it throws is reported as a fault.
   */
  readonly onAudio?: (chunk: AudioChunk, runtime: RuntimeContext) => void;
}

/**
 * Speaks the agent's reply. The audio is emitted as events named `audio` in its stream, with an `AudioChunk` each. Text
 * is never delayed or changed. The reply ends after its audio. A synthesiser that fails ends the speech of its block,
 * never the reply: a `fault` and a `decision` report it.
 *
 * Put it first in the list, so that it speaks the text that the reader receives, after the guards.
 *
 * @throws {SpeechError} `ERR_SPEECH_OPTION`
 * @example
 * ```ts
 * speech({ synthesizer: openaiSpeech("gpt-4o-mini-tts", { voice: "alloy" }), speak: "sentence" });
 * ```
 */
export function speech(options: SpeechOptions): Plugin {
  const checks = {
    name: text,
    synthesizer: (value: unknown) => (isSynthesizer(value) ? undefined : "a synthesizer: { mediaType, synthesize }"),
    speak: oneOf("block", "sentence"),
    locale: isLocale,
    maxCharacters: count,
    maxBytes: amount,
    timeout: time,
    onAudio: callable,
  };
  options = checkOptions("speech", options, checks, ["synthesizer"]);
  const { name = "speech", speak = "block", maxCharacters = 20_000, timeout = 60_000 } = options;
  const { maxBytes = 64 * 1024 * 1024, synthesizer, locale, onAudio } = options;
  if (maxBytes < 1) throw invalid("speech: maxBytes must be a number of at least 1.");
  return definePlugin({
    name,
    settings: { speak, mediaType: synthesizer.mediaType, maxCharacters, timeout },
    async model(invocation, callNext) {
      await callNext();
      if (invocation.result?.streaming === true) invocation.runtime.set(streamedKey, true);
    },
    async agent(invocation, callNext) {
      await callNext();
      const { runtime, call } = invocation;
      const failed = (error: unknown): void => {
        runtime.notify({ type: "decision", plugin: name, decision: "speech_failed", enforced: true, call });
        runtime.notify({ type: "fault", where: name, call, error });
      };
      const onChunk = (chunk: AudioChunk): void => {
        try {
          onAudio?.(chunk, runtime);
        } catch (error) {
          runtime.notify({ type: "fault", where: `${name} onAudio`, call, error });
        }
      };
      const speaker = new Speaker({ synthesizer, speak, locale, maxCharacters, maxBytes, timeout, failed });
      const unfollow = onAbort(runtime.signal, () => speaker.stop());
      const emitAudio = (emit: (delta: Delta) => void, chunks: readonly AudioChunk[]): void => {
        for (const chunk of chunks) {
          onChunk(chunk);
          emit({ type: "event", name: "audio", value: chunk });
        }
      };
      invocation.pipe({
        chunk(delta, emit) {
          // Without a stream there is no listener except `onAudio`.
          if (onAudio === undefined && !runtime.get(streamedKey)) return emit(delta);
          if (delta.type === "finish") return speakOut(emit).then(() => emit(delta));
          emit(delta);
          if (delta.type === "part" && delta.part.type === "text") speaker.say(delta.at, delta.part.content);
          else if (delta.type === "part_end") speaker.end(delta.at);
          emitAudio(emit, speaker.taken());
        },
        flush: (emit) => speakOut(emit),
        settle() {
          unfollow();
          speaker.stop();
        },
      });

      async function speakOut(emit: (delta: Delta) => void): Promise<void> {
        speaker.endAll();
        for (let more = await speaker.next(); more.length > 0; more = await speaker.next()) emitAudio(emit, more);
      }
    },
  });
}

const isSynthesizer = (value: unknown): value is Synthesizer =>
  isObject(value) && typeof value.synthesize === "function" && typeof value.mediaType === "string";

function isLocale(value: unknown): string | undefined {
  try {
    if (typeof value === "string" && Intl.getCanonicalLocales(value).length === 1) return undefined;
  } catch {
    // reported below
  }
  return "a language tag, such as en or de-CH";
}
