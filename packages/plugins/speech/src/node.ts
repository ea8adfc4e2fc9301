import { spawn } from "node:child_process";
import { once } from "node:events";
import { listOf, name as text } from "@suite/kit/options";
import { SpeechError } from "./errors.js";
import { checkOptions } from "./options.js";
import type { Synthesizer } from "./synthesizer.js";

/** The options of `commandSpeech`. */
export interface CommandSpeechOptions {
  /** The program, without a shell: `espeak-ng`, `piper`, `say`, … */
  readonly command: string;
  /**
   * The arguments of the program. It reads the text from its standard input and writes the audio to its standard
   * output.
   */
  readonly args?: readonly string[];
  /** The media type of the output. Default `audio/wav`. */
  readonly mediaType?: string;
}

/**
 * Creates a synthesiser that runs a local command: one process for each block or sentence, killed when its speech is
 * stopped.
 *
 * @throws {SpeechError} `ERR_SPEECH_OPTION`
 * @example
 * ```ts
 * commandSpeech({ command: "espeak-ng", args: ["--stdout", "-v", "en"] });
 * ```
 */
export function commandSpeech(options: CommandSpeechOptions): Synthesizer {
  options = checkOptions("commandSpeech", options, { command: text, args: argumentsOf, mediaType: text }, ["command"]);
  const { command, args = [], mediaType = "audio/wav" } = options;
  return {
    mediaType,
    async *synthesize(input, { signal }) {
      signal.throwIfAborted();
      const child = spawn(command, args, { stdio: ["pipe", "pipe", "ignore"] });
      const ended = once(child, "close") as Promise<[code: number | null, signal: string | null]>;
      ended.catch(() => {}); // reported below
      const stop = (): void => void child.kill("SIGKILL");
      signal.addEventListener("abort", stop, { once: true });
      // A program that ignores its input or ends early has not failed for that reason alone.
      child.stdin.on("error", () => {});
      child.stdin.end(input);
      try {
        for await (const bytes of child.stdout) yield bytes as Uint8Array;
        const [code, by] = await ended.catch((error: unknown) => {
          throw new SpeechError("ERR_SPEECH_COMMAND", "The command could not be started. Check if it is installed.", {
            cause: error,
          });
        });
        signal.throwIfAborted();
        if (code !== 0) throw new SpeechError("ERR_SPEECH_COMMAND", `The command ended with ${by ?? `code ${code}`}.`);
      } finally {
        signal.removeEventListener("abort", stop);
        stop();
      }
    },
  };
}

const isText = (value: unknown): string | undefined => (typeof value === "string" ? undefined : "a string");
const argumentsOf = (value: unknown): string | undefined =>
  Array.isArray(value) && value.length === 0 ? undefined : listOf(isText)(value);
