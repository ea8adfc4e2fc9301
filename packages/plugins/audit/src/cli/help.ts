import { decisionWords, recordTypes } from "./words.js";

/** Wraps words into lines of the right column. */
function wrapped(words: readonly string[]): string {
  const lines: string[] = [];
  for (const word of words) {
    const line = lines.at(-1);
    if (line === undefined || line.length + word.length > 95) lines.push(word);
    else lines[lines.length - 1] = `${line}, ${word}`;
  }
  return lines.join(`,\n${" ".repeat(23)}`);
}

/** The output of `suite-audit help`. */
export const overview = `suite-audit verify DIR         was anything changed?
suite-audit query DIR          the records that were asked for, newest first
suite-audit tail DIR           the last records, and what comes
suite-audit anchor DIR         a signed checkpoint that stands for the whole log, to be kept elsewhere
suite-audit witness DIR        has witnesses cosign that, and keeps what they signed
suite-audit prove DIR          that a record is in the log, for someone who has not the log
suite-audit check-proof FILE   whether such a proof holds
suite-audit export DIR         the records as JSON Lines, CSV or OCSF events, or as tiled transparency logs
suite-audit follow DIR         sends what is acknowledged on, at least once
suite-audit erase DIR          deletes a subject's key: its content can be read by nobody any more
suite-audit retain DIR         deletes old files whole, and keeps their heads
suite-audit keygen FILE        a signing key in FILE, its public key in FILE.pub
suite-audit verifier-key PATH  the public key as other tools take it, for a log or for a checkpoint

suite-audit --version prints the version. suite-audit COMMAND --help says what a command takes. Only verify and check-proof verify.

Exit codes: 0 nothing wrong; 1 the log has a problem, a proof does not hold, not all was sent, or there was nothing to
erase; 2 the command could not be run; 3 only this is in doubt: whether the damaged last commit of a file that was not closed
had been acknowledged, or was being written when the power failed.`;

const filters = `--since, --until T     2026-01-31, 2026-01-31T08:00Z (UTC where no zone is given), or how long ago: 30m, 24h, 7d
--run ID               of this run
--actor NAME           of this agent, by name or id, or for this user; if users are encrypted, a user takes --keys
--type T               ${wrapped(recordTypes)}
--operation O          invoke_agent, chat, execute_tool, …
--decision D           ${wrapped(decisionWords)};
                       or a word of a plugin's own: hit, fallback, …
--value V              in which this value stands hashed; - reads it from standard input, which no list of processes shows
--value-key FILE       the key that hashed it; once for each that may have`;

const key = "--key FILE             public key from elsewhere than DIR; without it, the one in DIR, which proves less";
const subjectKeys =
  "--keys KEYS            directory of subjects' keys: shows what is encrypted in clear. Erasing does not reach what you keep of it";
const unproven =
  "--unproven             also what stands behind the last signed checkpoint of a file, marked: nothing shows who wrote it";
const signingKey = "--signing-key FILE     private key of a log that is signed by a key from elsewhere";

/** The help of each command. */
export const help: Readonly<Record<string, string>> = {
  __proto__: null as never,
  verify: `suite-audit verify DIR [--key FILE] [--anchor FILE]... [--witnesses FILE [--policy N]] [--every-signature] [--json] [--progress]

${key}
--anchor FILE          a checkpoint that was kept elsewhere (see anchor); without one, commits cut off at the end cannot be seen
--every-signature      verifies also signatures that a later one of the file covers: whether each would do as an anchor
--witnesses FILE       verifier keys of witnesses (cosignature/v1), one a line: what they have cosigned is held as by an anchor
--policy N             so many of them must have (all)
--json                 the whole verdict, as one line
--progress             how far it is, on the error output; on a terminal always, if it takes long`,
  query: `suite-audit query DIR [--limit N] [--json | --csv] [--unproven] [--keys KEYS] [filters]

${filters}
--limit N              at most so many (100)
--json, --csv          whole records as JSON, one a line; a table for a spreadsheet
${unproven}
${subjectKeys}

The index is in the user's cache ($XDG_CACHE_HOME), never in DIR; it can be deleted at any time.`,
  tail: `suite-audit tail DIR [--lines N] [--follow] [--json] [--unproven] [--keys KEYS]

--lines N              so many (10)
--follow               goes on with what is appended, until it is ended
--json                 as they are stored
${unproven}
${subjectKeys}`,
  anchor: `suite-audit anchor DIR [--signing-key FILE] [--out FILE]

Writes a record to the log, and prints the checkpoint that covers it, and with it all that any process has written before.
Nothing is verified: run verify first.
${signingKey}
--out FILE             never written over; without it, standard output`,
  witness: `suite-audit witness DIR --witnesses FILE [--policy N] [--timeout SECONDS] [--signing-key FILE]
suite-audit witness DIR --verifier-key [--signing-key FILE]

Writes a record to the log, sends a head that stands for the whole log to the witnesses (C2SP tlog-witness), and keeps their
cosignatures in DIR/heads. Nothing is verified: run verify first.
--witnesses FILE       one a line: verifier key (cosignature/v1), a space, and the URL before /add-checkpoint
--policy N             ends with 1 where fewer cosign (all)
--timeout SECONDS      of each request (10)
--verifier-key         prints the key and the origin by which witnesses are told of this log, and asks nobody
${signingKey}`,
  prove: `suite-audit prove DIR --id ID | --file FILE --index N | --consistency CHECKPOINT  [--key FILE] [--out FILE]

--id, or --file and --index   the record; its proof (C2SP tlog-proof) holds the record itself
--consistency FILE     that the log begins with what this checkpoint, kept elsewhere, was signed for
${key}
--out FILE             never written over; without it, standard output`,
  "check-proof": `suite-audit check-proof FILE --key FILE [--anchor CHECKPOINT]

--key FILE             public key, from elsewhere than the proof
--anchor FILE          the checkpoint that a proof of consistency is about`,
  export: `suite-audit export DIR --jsonl | --csv | --ocsf | --tlog  [--out PATH] [--keys KEYS] [filters]

--jsonl                records as they are stored
--csv                  RFC 4180; what a spreadsheet would compute begins with an apostrophe
--ocsf                 OCSF 1.8.0, class API Activity, one event a line
--tlog                 C2SP tlog-tiles, a folder per log file under --out; takes no filter
--out PATH             never written over; without it, standard output
--keys KEYS            directory of subjects' keys, to find an encrypted user by --actor; what is encrypted stays so
${key}
${filters}`,
  follow: `suite-audit follow DIR [--otlp URL]... [--postgres URL]... [--syslog URL]... [--table NAME] [--cursor FILE] [--once [--timeout SECONDS]]

Several at once: each has a position of its own, and one that is down holds up no other.

--otlp URL             the base address of an OpenTelemetry Collector; headers as in OTEL_EXPORTER_OTLP_HEADERS
--postgres URL         postgres://user@host/database; the password in PGPASSWORD or ~/.pgpass, which no list of processes shows
--syslog URL           tls://host:6514 or tcp://host:601: RFC 5424; for certificates of your own, NODE_EXTRA_CA_CERTS
--table NAME           of PostgreSQL: TABLE or SCHEMA.TABLE (suite_audit); made if it is not there, and so is TABLE_files
--cursor FILE          remembers what was sent, instead of a file in DIR; PostgreSQL needs none
--once                 ends with 0 when all that is there is sent, with 1 where it is refused or damaged
--timeout SECONDS      or with 1 after so long. Without it, --once waits for a target that is down`,
  erase: `suite-audit erase DIR --keys KEYS --subject ID [--signing-key FILE]

--keys KEYS            the directory of subjects' keys
--subject ID           whose content is erased; - reads it from standard input, which no list of processes shows
${signingKey}`,
  retain: `suite-audit retain DIR --older-than DAYSd [--key FILE] [--signing-key FILE] [--dry-run] [--force]

--older-than DAYSd     as 184d
--dry-run              says what would be deleted
--force                less than 184 days, which is six months; never less than 2
${key}
${signingKey}`,
  keygen: `suite-audit keygen FILE [--name NAME]

--name NAME            under which it signs: a host name and a path, as example.com/support`,
  "verifier-key": `suite-audit verifier-key DIR | CHECKPOINT [--key FILE]

Prints name+hash+key of C2SP signed-note, as Go's golang.org/x/mod/sumdb/note takes it: one line for each file of a log, since each
signs under a name (origin) of its own; or the one for a checkpoint that was kept (see anchor).
--key FILE             public key; needed for a checkpoint`,
};
