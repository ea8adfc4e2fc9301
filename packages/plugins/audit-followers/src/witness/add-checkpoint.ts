import type { Witness } from "@suite/audit/internal";
import { toBase64 } from "@suite/kit";
import { AuditFollowersError } from "../errors.js";
import { shortBodyOf } from "../short-body.js";

/** A witness's response to a head. */
export type Answer =
  | { readonly is: "cosigned"; readonly lines: string }
  /** The last head that it cosigned has another size than the one in the request. */
  | { readonly is: "other size"; readonly size: number }
  /** A conflict: it has cosigned another history. */
  | { readonly is: "inconsistent" }
  | { readonly is: "refused"; readonly status: number };

/**
 * Sends a head to a witness (https://c2sp.org/tlog-witness, `add-checkpoint`).
 *
 * @param proof from the size of the last head that it cosigned; empty from 0
 * @throws AuditFollowersError `ERR_AUDIT_FOLLOWERS_WITNESS_FAILED` if there is no response in time
 */
export async function addCheckpoint(
  witness: Witness,
  oldSize: number,
  proof: readonly Uint8Array[],
  checkpoint: string,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<Answer> {
  const late = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(`${witness.url}/add-checkpoint`, {
      method: "POST",
      headers: { "content-type": "text/plain; charset=utf-8" },
      body: [`old ${oldSize}`, ...proof.map(toBase64), "", checkpoint].join("\n"),
      redirect: "manual",
      signal: signal ? AbortSignal.any([late, signal]) : late,
    });
    const text = await shortBodyOf(response);
    if (response.status === 200) return { is: "cosigned", lines: text };
    if (response.status === 422) return { is: "inconsistent" };
    const size = /^(0|[1-9]\d{0,14})\n?$/.exec(text)?.[1];
    if (response.status === 409 && size !== undefined) return { is: "other size", size: Number(size) };
    return { is: "refused", status: response.status };
  } catch (cause) {
    const { name, cause: why } = cause as { readonly name?: string; readonly cause?: NodeJS.ErrnoException };
    throw new AuditFollowersError(
      "ERR_AUDIT_FOLLOWERS_WITNESS_FAILED",
      `${witness.name} did not answer: ${why?.code ?? name}.`,
      {
        cause,
      },
    );
  }
}
