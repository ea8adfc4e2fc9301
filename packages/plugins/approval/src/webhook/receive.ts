import { isRecord } from "@suite/kit";
import { plainMembers } from "@suite/kit/options";
import { ledgerOf } from "../approvals.js";
import { decide } from "../decide.js";
import { ApprovalError, type ApprovalErrorCode } from "../errors.js";
import type { LedgerOptions } from "../ledger.js";
import type { PendingApproval, PersonDecision } from "../records.js";
import { checkNames, invalid } from "../rules.js";
import { type WebhookSecrets, WebhookSigner } from "./signature.js";

/** The options of a receiver of decisions. */
export interface DecisionHandlerOptions extends LedgerOptions {
  /** The secret, or secrets, that messages must be signed with. */
  readonly secret: WebhookSecrets;
  /** The maximum difference between a message's time and this clock, in seconds. Default: 300. */
  readonly tolerance?: number;
  /** Resumes the run. Called again if it failed or the same message is delivered again. */
  readonly onDecision?: (request: PendingApproval) => void | PromiseLike<void>;
}

const maxBytes = 262_144;

const statuses: Partial<Record<ApprovalErrorCode, number>> = {
  ERR_APPROVAL_UNKNOWN: 404,
  ERR_APPROVAL_DECIDED: 409,
  ERR_APPROVAL_EXPIRED: 410,
};

/**
 * Creates a handler for decisions sent by webhook, signed according to the Standard Webhooks specification: the JSON `{
 * data: { id, decision, … } }`. Forged, late or too long messages are refused. A message that is delivered twice
 * decides once and gets the same response.
 *
 * @throws {ApprovalError} `ERR_APPROVAL_OPTION`
 */
export function decisionHandler(options: DecisionHandlerOptions): (request: Request) => Promise<Response> {
  if (!isRecord(options)) throw invalid("decisionHandler() takes an object of options.");
  const { secret, tolerance = 300, onDecision, ...stored } = plainMembers(options as DecisionHandlerOptions);
  checkNames("decisionHandler()", stored, { store: true, keys: true });
  if (typeof tolerance !== "number" || !(tolerance >= 1 && tolerance <= 3600)) {
    throw invalid("The option tolerance of decisionHandler() must be a number of seconds from 1 to 3600.");
  }
  if (onDecision !== undefined && typeof onDecision !== "function") {
    throw invalid("The option onDecision of decisionHandler() must be a function.");
  }
  const signer = new WebhookSigner(secret);
  const ledger = ledgerOf("decisionHandler()", stored);

  return async (request) => {
    if (request.method !== "POST") return answer(405, "method");
    const [id, time, signatures] = ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) =>
      request.headers.get(name),
    );
    if (!id || !time || !signatures || id.length > 256) return answer(401, "signature");
    const body = await bounded(request);
    if (body === undefined) return answer(413, "length");
    if (!(await signer.verify(id, time, body, signatures))) return answer(401, "signature");
    if (!/^\d{1,12}$/.test(time) || Math.abs(Date.now() / 1000 - Number(time)) > tolerance) return answer(401, "time");
    const data = dataIn(body);
    if (data === undefined) return answer(422, "decision");
    try {
      const decided = await decide(ledger, data.id, data as unknown as PersonDecision, id);
      await onDecision?.(decided);
      return answer(200, "decided");
    } catch (error) {
      // Other errors are temporary failures: the sender retries, and nothing is lost.
      return ApprovalError.is(error) ? answer(statuses[error.code] ?? 422, error.code) : answer(503, "unavailable");
    }
  };
}

const answer = (status: number, text: string): Response => Response.json({ status: text }, { status });

function dataIn(body: string): (Readonly<Record<string, unknown>> & { readonly id: string }) | undefined {
  try {
    const message: unknown = JSON.parse(body);
    const data = isRecord(message) ? message.data : undefined;
    return isRecord(data) && typeof data.id === "string" ? { ...data, id: data.id } : undefined;
  } catch {
    return undefined;
  }
}

/** Reads a body as text. Returns `undefined` if it is too long. */
async function bounded({ body }: Request): Promise<string | undefined> {
  const decoder = new TextDecoder();
  let text = "";
  let length = 0;
  if (body === null) return text;
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    length += value.byteLength;
    if (length > maxBytes) {
      await reader.cancel();
      return undefined;
    }
    text += decoder.decode(value, { stream: true });
  }
}
