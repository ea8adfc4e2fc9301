import { isObject } from "@suite/kit";
import isNetworkError from "is-network-error";
import { chainOf, type Fields, namesOf, notJson, safely } from "./fields.js";
import { statusOfError } from "./status.js";

/**
 * The meaning of an error for the next attempt. `transient`: the same request may succeed soon. `unavailable`: another model may
 * answer it. `permanent`: it would fail again.
 */
type Verdict = "transient" | "unavailable" | "permanent";

/**
 * Names, that is codes, types and classes, that decide before the status does: AWS throttles with status 400 too, and a used
 * up quota has the status of a rate.
 */
const beforeStatus: ReadonlyMap<unknown, Verdict> = table({
  permanent: ["AbortError", "APIUserAbortError"],
  unavailable: ["insufficient_quota", "ServiceQuotaExceededException"],
  transient: [
    ...["ThrottlingException", "ThrottledException", "Throttling", "TooManyRequestsException", "SlowDown"],
    ...["RequestThrottled", "RequestThrottledException", "RequestLimitExceeded", "ModelStreamErrorException"],
    ...["ServiceUnavailableException", "InternalServerException", "InternalServerError", "InternalFailure"],
    ...["ModelTimeoutException", "ModelNotReadyException", "RequestTimeout", "RequestTimeoutException"],
  ],
});

/** Names that decide if there is no status of a failure. */
const afterStatus: ReadonlyMap<unknown, Verdict> = table({
  permanent: [],
  unavailable: ["ERR_RESILIENCE_CIRCUIT_OPEN"],
  transient: [
    ...["ECONNRESET", "ECONNREFUSED", "ECONNABORTED", "EPIPE", "ETIMEDOUT", "EHOSTUNREACH", "ENETUNREACH", "ENETDOWN"],
    ...["ENOTFOUND", "EAI_AGAIN", "UND_ERR_CONNECT_TIMEOUT", "UND_ERR_HEADERS_TIMEOUT", "UND_ERR_BODY_TIMEOUT"],
    ...["UND_ERR_SOCKET", "ERR_STREAM_PREMATURE_CLOSE", "overloaded_error", "rate_limit_error", "api_error"],
    ...["timeout_error", "server_error", "rate_limit_exceeded", "APIConnectionError", "APIConnectionTimeoutError"],
    ...["TimeoutError", "ERR_RESILIENCE_TIMEOUT", "ERR_AGENT_MODEL_STREAM_CUT", "ERR_FETCH_ANSWER_UNREADABLE", notJson],
  ],
});

function table(rows: Readonly<Record<Verdict, readonly string[]>>): ReadonlyMap<unknown, Verdict> {
  const verdicts = ["permanent", "unavailable", "transient"] as const;
  return new Map(verdicts.flatMap((verdict) => rows[verdict].map((name) => [name, verdict] as const)));
}

const statuses: ReadonlyMap<number, Verdict> = new Map<number, Verdict>([
  ...([401, 402, 403, 404] as const).map((status) => [status, "unavailable"] as const),
  ...([408, 409, 429] as const).map((status) => [status, "transient"] as const),
]);

const byStatus = (status: number): Verdict => statuses.get(status) ?? (status >= 500 ? "transient" : "permanent");

/** Returns the verdict on an error, or `undefined` if nothing is known about it. The first of its causes that is known decides. */
export const classify = safely((error): Verdict | undefined => {
  for (const each of chainOf(error)) {
    const verdict = classifyOne(each);
    if (verdict !== undefined) return verdict;
    if (isRefusal(each) && !isOfModel(each)) return undefined;
  }
  return undefined;
}, undefined);

function classifyOne(error: Fields): Verdict | undefined {
  const names = [...namesOf(error)];
  const named = verdictIn(beforeStatus, names);
  if (named !== undefined) return named;
  if (isObject(error.$retryable)) return "transient";
  const status = statusOfError(error);
  if (status !== undefined && status >= 400) return byStatus(status);
  const known = verdictIn(afterStatus, names);
  if (known !== undefined) return known;
  if (typeof error.isRetryable === "boolean") return error.isRetryable ? "transient" : "permanent";
  if (isNetworkError(error)) return "transient";
  return isRefusal(error) && typeof error.retryAfter === "number" ? "transient" : undefined;
}

/** Returns the strongest verdict on any of the names: what is permanent by one of them is not transient by another. */
function verdictIn(known: ReadonlyMap<unknown, Verdict>, names: readonly unknown[]): Verdict | undefined {
  const found = new Set(names.map((name) => known.get(name)));
  return (["permanent", "unavailable", "transient"] as const).find((verdict) => found.has(verdict));
}

/** True for an error of the suite, also of another copy of its package. */
export const isRefusal = ({ code }: Fields): boolean => typeof code === "string" && code.startsWith("ERR_");

/** True if an error of the suite reports a failure of the model or its server, and not a decision of a plugin. */
export const isOfModel = (error: Fields): boolean =>
  (typeof error.code === "string" && /^ERR_(AGENT_MODEL|FETCH_ANSWER|RESILIENCE_TIMEOUT)/.test(error.code)) ||
  statusOfError(error) !== undefined;
