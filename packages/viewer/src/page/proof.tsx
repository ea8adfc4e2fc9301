import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { PageRecord } from "../run/audit.js";
import { plural } from "../run/format.js";
import { fetchProof } from "./api.js";
import { Copy } from "./copy.js";

/** The result of a check. */
interface Checked {
  readonly holds: boolean;
  readonly said: string;
  readonly proof?: string;
}

/**
 * Checks the proof of one record in this browser: the viewer only sends the proof, so that its verdict need not be
 * trusted.
 */
export function Proof({ record }: { readonly record: PageRecord }): VNode {
  const [checked, setChecked] = useState<Checked | "checking">();
  const check = async (): Promise<void> => {
    setChecked("checking");
    setChecked(await checkHere(record).catch((error: Error) => ({ holds: false, said: error.message })));
  };
  const result = checked === "checking" ? undefined : checked;
  return (
    <div class="proof">
      <button type="button" onClick={() => void check()} disabled={checked === "checking"}>
        Check the proof in this browser
      </button>
      <span role="status">
        {checked === "checking" && "Checking…"}
        {result !== undefined && <span class={result.holds ? "good" : "bad"}>{result.said}</span>}
      </span>
      {result?.proof !== undefined && <Copy text={() => result.proof ?? ""}>Copy the proof</Copy>}
    </div>
  );
}

async function checkHere({ file, index, line }: PageRecord): Promise<Checked> {
  const [fetched, { checkProof }] = await Promise.all([fetchProof(file, index), import("@suite/audit/verify")]);
  if ("problem" in fetched) return { holds: false, said: `Not proven. ${fetched.problem}` };
  const { proof, keys } = fetched;
  const verdict = await checkProof(proof, keys);
  if (!verdict.holds) return { holds: false, said: `Not proven: ${refuted[verdict.because]}`, proof };
  const isThis = verdict.record === line && verdict.file === file && verdict.index === index;
  if (!isThis) return { holds: false, said: "Not proven: the proof is for another record than the one shown.", proof };
  return {
    holds: true,
    said: `Proven: record ${index} of the ${plural(verdict.size, "record")} signed as ${verdict.origin}.`,
    proof,
  };
}

const refuted = {
  not_signed: "its checkpoint is not signed by this key.",
  wrong_hashes: "its hashes do not match the signed root.",
} as const;
