import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { PageRecord, PageVerdict, RunLog } from "../run/audit.js";
import { clock, formatValue, plural } from "../run/format.js";
import type { Span } from "../run/span.js";
import { fetchRunLog } from "./api.js";
import { Marked } from "./marked.js";
import { Proof } from "./proof.js";
import { useAnswer } from "./use-answer.js";

/** The audit log of a run: the verdict on the log, and the run's records one by one. */
export function AuditView({ traceId, spans }: AuditViewProps): VNode {
  // Fetched again when the number of spans grows, since there may be more records.
  const fetched = useAnswer(traceId, spans, fetchRunLog);
  if (fetched.answer === undefined && fetched.problem === undefined) return <p class="quiet">Verifying the log…</p>;
  const { verdict, problem, records, more }: RunLog = { records: [], ...fetched, ...fetched.answer };
  return (
    <div class="audit">
      {verdict !== undefined && <VerdictNote verdict={verdict} />}
      {problem !== undefined && <p class="note waits">{problem}</p>}
      {records.length === 0 ? (
        <p class="quiet">This run has no records in the log.</p>
      ) : (
        <p class="quiet">
          {plural(records.length, "record")} of this run{more === true && ", the newest; there are more"}
        </p>
      )}
      <ol>
        {records.map((record) => (
          <li key={`${record.file} ${record.index}`}>
            <RecordRow record={record} />
          </li>
        ))}
      </ol>
    </div>
  );
}

/** The properties of the audit log of a run. */
export interface AuditViewProps {
  readonly traceId: string;
  readonly spans: readonly Span[];
}

const headlines = {
  verified: "Verified",
  doubt: "In doubt: the end of the log cannot be verified",
  damaged: "Not verified: the log was changed after it was signed",
} as const;

const grounds = {
  self: "The key is from the log's folder: anyone with the signing key could have written the whole log. Pass a trusted key with --audit-key.",
  key: "With the key of --audit-key.",
  anchor: "By a checkpoint that was kept elsewhere.",
  witness: "By heads that witnesses have cosigned.",
} as const;

function VerdictNote({ verdict }: { readonly verdict: PageVerdict }): VNode {
  const { found, attestation, size, files, tail, problems } = verdict;
  const tone = { verified: "good", doubt: "waits", damaged: "error" }[found];
  return (
    <section class={`note ${tone}`} aria-label="Verdict on the log">
      <h2>{headlines[found]}</h2>
      <p>
        {plural(size, "record")} in {plural(files, "file")}, all unchanged and in order. {grounds[attestation]}
      </p>
      {tail > 0 && <p>{plural(tail, "byte")} behind the last signature: unproven.</p>}
      {problems.length > 0 && (
        <ul>
          {problems.map((problem, index) => (
            <li key={index}>{problem}</li>
          ))}
        </ul>
      )}
    </section>
  );
}

function RecordRow({ record }: { readonly record: PageRecord }): VNode {
  const [isOpen, setOpen] = useState(false);
  const { file, index, line, proven, time, type, operation, target, decision, status } = record;
  return (
    <details class={proven ? "record" : "record unproven"} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <time>{time === undefined ? "" : clockOf(time)}</time>
        <strong>{type ?? "record"}</strong>
        <span>{[operation, target].filter(Boolean).join(" ")}</span>
        <span class="quiet">{[decision, status].filter(Boolean).join(", ")}</span>
        {!proven && <span class="chip error">unproven</span>}
      </summary>
      {isOpen && (
        <div class="opened">
          <p class="quiet">
            Record {index} of {file}
          </p>
          <Proof record={record} />
          <pre>
            <Marked text={formatValue(line)} />
          </pre>
        </div>
      )}
    </details>
  );
}

/** Returns the time of day of a record. Returns the string unchanged if it is not a time. */
function clockOf(time: string): string {
  const at = Date.parse(time);
  return Number.isNaN(at) ? time : clock(at);
}
