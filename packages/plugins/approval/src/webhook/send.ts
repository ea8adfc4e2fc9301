import { isRecord } from "@suite/kit";
import { sleep } from "@suite/kit/time";
import { ApprovalError } from "../errors.js";
import { questionOf } from "../front-ends/question.js";
import type { Ask } from "../gate.js";
import type { PendingApproval } from "../records.js";
import { checkDuration, checkNames, invalid } from "../rules.js";
import { type WebhookSecrets, WebhookSigner } from "./signature.js";

/** The options of a webhook that sends requests. */
export interface WebhookOptions {
  /** The receiver: https, or http on this machine. It is not redirected. */
  readonly url: string;
  /** The secret that requests are signed with. */
  readonly secret: WebhookSecrets;
  /** Attempts at most. Default: 5. */
  readonly attempts?: number;
  /** Milliseconds before the second attempt, twice as many before each later one, with jitter. Default: 500. */
  readonly initialDelay?: number;
  /** Milliseconds that an attempt may take. Default: 10,000. */
  readonly timeout?: number;
}

const names = { url: true, secret: true, attempts: true, initialDelay: true, timeout: true };
const longest = 30_000;

/**
 * A way to ask: sends each request, signed as the Standard Webhooks specification has it. The message's id is the request's,
 * so that a receiver knows one that comes twice.
 *
 * @throws {ApprovalError} `ERR_APPROVAL_OPTION`
 */
export function webhook(options: WebhookOptions): Ask {
  if (!isRecord(options)) throw invalid("webhook() takes an object of options.");
  options = checkNames("webhook()", options, names);
  const { secret, attempts = 5, initialDelay = 500, timeout = 10_000 } = options as WebhookOptions;
  const url = receiver(options.url);
  if (!Number.isSafeInteger(attempts) || attempts < 1 || attempts > 20) {
    throw invalid("The option attempts of webhook() must be an integer from 1 to 20.");
  }
  checkDuration("initialDelay of webhook()", initialDelay);
  checkDuration("timeout of webhook()", timeout);
  const signer = new WebhookSigner(secret);

  return async (request, { signal }) => {
    const body = bodyOf(request);
    signal.throwIfAborted();
    for (let attempt = 1; ; attempt++) {
      const headers = { "content-type": "application/json", ...(await signer.headers(request.id, body)) };
      const status = await post(url, headers, body, AbortSignal.any([signal, AbortSignal.timeout(timeout)]));
      signal.throwIfAborted();
      if (status >= 200 && status < 300) return undefined;
      const again = status === 0 || status === 408 || status === 429 || status >= 500;
      if (!again || attempt >= attempts) {
        const why = status === 0 ? "could not be reached" : `answered ${status}`;
        throw new ApprovalError(
          "ERR_APPROVAL_DELIVERY",
          `The receiver of the webhook ${why} after ${attempt} attempts.`,
        );
      }
      const delay = Math.min(longest, initialDelay * 2 ** (attempt - 1));
      await sleep(delay * (0.5 + Math.random() / 2), signal);
    }
  };
}

function receiver(option: unknown): string {
  const url = typeof option === "string" && URL.canParse(option) ? new URL(option) : undefined;
  const local = url !== undefined && ["localhost", "127.0.0.1", "[::1]"].includes(url.hostname);
  if (url?.protocol === "https:" || (url?.protocol === "http:" && local)) return url.href;
  throw invalid("The option url of webhook() must be an https URL, or an http URL of this machine.");
}

const bodyOf = (request: PendingApproval): string =>
  JSON.stringify({
    type: "approval.requested",
    timestamp: new Date(request.askedAt).toISOString(),
    data: questionOf(request),
  });

/** Returns the status of the response, or 0 if it is absent. Redirects are not followed. */
async function post(url: string, headers: Record<string, string>, body: string, signal: AbortSignal): Promise<number> {
  try {
    const answer = await fetch(url, { method: "POST", headers, body, signal, redirect: "manual" });
    await answer.body?.cancel();
    return answer.status;
  } catch {
    return 0;
  }
}
