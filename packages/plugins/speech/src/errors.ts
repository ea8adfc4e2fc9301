import { CodedError } from "@suite/core";

/** The error codes of @suite/speech. Closed: a new code is a new minor version. */
export type SpeechErrorCode =
  /** An option that makes no sense, or has no such name. */
  | "ERR_SPEECH_OPTION"
  /** A synthesiser that gave no audio in its time. */
  | "ERR_SPEECH_TIMEOUT"
  /** A synthesiser that gave more audio than is allowed, or what is no audio. */
  | "ERR_SPEECH_AUDIO"
  /** A command that could not be started, or that failed. */
  | "ERR_SPEECH_COMMAND";

/** The one error class of @suite/speech. No error of a synthesiser ends a reply: it is told as a fault. */
export class SpeechError extends CodedError<SpeechErrorCode> {
  static override readonly brand = Symbol.for("@suite/speech/error");
  override readonly name = "SpeechError";
}
