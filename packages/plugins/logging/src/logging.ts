import {
  type CallId,
  definePlugin,
  type Invocation,
  type Kind,
  type Plugin,
  type RuntimeContext,
  type Settlement,
} from "@suite/core";
import { spanOf } from "@suite/core/propagation";
import { errorTypeOf } from "@suite/kit/errors";
import { count, oneOf } from "@suite/kit/options";
import { calls, type Described, kinds } from "./calls.js";
import { type Content, writerOf } from "./content.js";
import { consoleLogger, type Fields, type Level, type Logger } from "./logger.js";
import { lineOf } from "./notifications.js";
import { checkOptions } from "./options.js";

/** The options of `logging`. */
export interface LoggingOptions {
  /** The logger that receives the lines: pino, bunyan, or a compatible one. Default: `consoleLogger()`. */
  readonly logger?: Logger;
  /** The kinds of calls that are logged. Default: all except `reasoning`. */
  readonly kinds?: readonly Kind[];
  /** The amount of content in the lines. Default: `none`. */
  readonly content?: Content;
  /** The maximum number of characters of one content field, after redaction. Default: 1,000. */
  readonly contentLimit?: number;
}

const functionsOf = (value: unknown) =>
  ["debug", "info", "warn", "error"].every(
    (level) => typeof (value as Record<string, unknown>)?.[level] === "function",
  );

/**
 * Logs the calls of an agent. Each call writes a line at `debug` when it begins, and one when it has ended: at `info`,
 * or at `error` if it failed. Each decision, limit, approval, wait and fault writes a line too. Lines contain the run's
 * id, and the trace and span ids if @suite/tracing is used. Errors thrown by the logger are ignored.
 *
 * @throws {LoggingError} `ERR_LOGGING_OPTION`
 * @example
 * ```ts
 * createAgent({ plugins: [tracing(), logging({ logger: pino() })], … });
 * ```
 */
export function logging(options: LoggingOptions = {}): Plugin {
  options = checkOptions("logging", options, {
    logger: (value) => (functionsOf(value) ? undefined : "a logger with debug, info, warn and error"),
    kinds: (value) =>
      Array.isArray(value) && value.every((kind) => kinds.includes(kind)) ? undefined : `of ${kinds.join(", ")}`,
    content: oneOf("none", "redacted", "full"),
    contentLimit: count,
  });
  const { logger = consoleLogger(), content = "none", contentLimit = 1000 } = options;
  const chosen = options.kinds ?? kinds.filter((kind) => kind !== "reasoning");

  const log = (
    level: Level,
    message: string,
    runtime: RuntimeContext,
    call: CallId | undefined,
    fields: Fields,
  ): void => {
    try {
      const span = call && spanOf(call);
      logger[level](
        defined({
          run_id: runtime.runId,
          "gen_ai.conversation.id": runtime.sessionId,
          "gen_ai.agent.name": runtime.agent?.name,
          ...fields,
          trace_id: span?.traceId,
          span_id: span?.spanId,
        }),
        message,
      );
    } catch {
      // Losing a line is better than failing the run.
    }
  };

  function hook<K extends Kind>(kind: K) {
    const described: Described<K> = calls[kind];
    return async (invocation: Invocation<K>, callNext: () => Promise<void>): Promise<void> => {
      const { runtime, call, request } = invocation;
      const write = writerOf(content, contentLimit, runtime);
      const started = performance.now();
      const requestFields = described.request(request, write);
      log("debug", `${described.noun} begins`, runtime, call, requestFields);
      const ended = (settlement: Settlement<unknown>): void => {
        const failed = settlement.status === "failed" || invocation.result?.isError === true;
        const status = failed ? "failed" : settlement.status;
        log(failed ? "error" : "info", `${described.noun} ${status}`, runtime, call, {
          ...requestFields,
          status,
          duration_ms: Math.round((performance.now() - started) * 10) / 10,
          ...(settlement.status === "completed" && described.answer(settlement.final as never, write)),
          ...(settlement.status === "suspended" && { calls: settlement.pending.length }),
          ...(settlement.status === "failed" && {
            "error.type": errorTypeOf(settlement.error),
            error: write?.(messageOf(settlement.error)),
          }),
        });
      };
      try {
        await callNext();
      } catch (error) {
        ended({ status: "failed", error });
        throw error;
      }
      invocation.pipe({ settle: ended });
    };
  }

  return definePlugin({
    name: "logging",
    whereOffered: [...kinds, "observe"],
    ...(Object.fromEntries(chosen.map((kind) => [kind, hook(kind)])) as Partial<Plugin>),
    observe(notification, runtime) {
      const { level, message, fields } = lineOf(notification);
      log(level, message, runtime, notification.call, fields);
    },
  } satisfies Plugin as Plugin);
}

/** Returns the message of an error, or `undefined` if it has none or its getter throws. */
function messageOf(error: unknown): unknown {
  try {
    return error instanceof Error ? error.message : undefined;
  } catch {
    return undefined;
  }
}

const defined = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
