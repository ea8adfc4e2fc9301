import { codedError } from "@suite/kit/errors";

/** The error codes of @suite/speech. Closed: a new code is a new minor version. */
export type SpeechErrorCode =
  /** An option with an invalid value or an unknown name. */
  | "ERR_SPEECH_OPTION"
  /** A synthesiser that returned no audio within the timeout. */
  | "ERR_SPEECH_TIMEOUT"
  /** A synthesiser that returned more audio than is allowed, or something other than audio. */
  | "ERR_SPEECH_AUDIO"
  /** A command that could not be started, or that failed. */
  | "ERR_SPEECH_COMMAND";

/** The error class of @suite/speech. An error of a synthesiser never ends a reply: it is reported as a fault. */
export class SpeechError extends codedError<SpeechErrorCode>("SpeechError", "@suite/speech/error") {}
