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
export const overview = `suite-audit verify DIR         checks that no record was changed
suite-audit query DIR          prints matching records, newest first
suite-audit tail DIR           prints the last records, and new ones
suite-audit anchor DIR         prints a signed checkpoint of the whole log, to be kept elsewhere
suite-audit prove DIR          prints a proof that a record is in the log, for a reader without the log
suite-audit check-proof FILE   checks such a proof
suite-audit export DIR         exports the records as JSON Lines, CSV or OCSF events, or as tiled transparency logs
suite-audit erase DIR          deletes a subject's key, so that its content can no longer be read
suite-audit retain DIR         deletes old files, and keeps their signed heads
suite-audit keygen FILE        writes a signing key to FILE, and its public key to FILE.pub
suite-audit verifier-key PATH  prints the public key of a log or a checkpoint for other tools

suite-audit --version prints the version. suite-audit COMMAND --help lists the options of a command. Only verify and check-proof verify records.
@suite/audit-followers has two more commands: suite-audit-follow sends records to other systems, suite-audit-witness has
witnesses cosign a checkpoint.

Exit codes: 0 success; 1 the log has a problem, a proof is invalid, or there was nothing to erase; 2 the command could not be run; 3 in doubt: the last commit of an open file is damaged, and may or may not have been
acknowledged (a power failure during the write has the same effect).`;

const filters = `--since, --until T     2026-01-31, 2026-01-31T08:00Z (UTC if no zone is set), or an age: 30m, 24h, 7d
--run ID               records of this run
--actor NAME           records of this agent (name or id) or this user; if users are encrypted, a user requires --keys
--type T               ${wrapped(recordTypes)}
--operation O          invoke_agent, chat, execute_tool, …
--decision D           ${wrapped(decisionWords)};
                       or a word of a plugin: hit, fallback, …
--value V              records that contain the hash of this value; - reads it from standard input, which process lists do not show
--value-key FILE       the key of the hashes; can be repeated`;

const key = "--key FILE             a trusted public key; the default is the key in DIR, which proves less";
const subjectKeys =
  "--keys KEYS            directory of subjects' keys: decrypts content. Erasing does not delete copies of the output";
const unproven =
  "--unproven             also prints records after the last signed checkpoint of a file, marked: their author is unknown";
const signingKey = "--signing-key FILE     private key of a log whose signing key is not in its directory";

/** The help of each command. */
export const help: Readonly<Record<string, string>> = {
  __proto__: null as never,
  verify: `suite-audit verify DIR [--key FILE] [--anchor FILE]... [--witnesses FILE [--policy N]] [--every-signature] [--json] [--progress]

${key}
--anchor FILE          a checkpoint that was kept elsewhere (see anchor); without one, commits cut off at the end are not detected
--every-signature      also verifies signatures that a later one covers, so that each can serve as an anchor
--witnesses FILE       verifier keys of witnesses (cosignature/v1), one per line: heads that they cosigned count as anchors
--policy N             the number of witnesses that must have cosigned (all)
--json                 the complete verdict, on one line
--progress             prints progress to standard error; always on a terminal if it takes long`,
  query: `suite-audit query DIR [--limit N] [--json | --csv] [--unproven] [--keys KEYS] [filters]

${filters}
--limit N              the maximum number of records (100)
--json, --csv          complete records as JSON, one per line; a table for a spreadsheet
${unproven}
${subjectKeys}

The index is in the user's cache ($XDG_CACHE_HOME), never in DIR; it can be deleted at any time.`,
  tail: `suite-audit tail DIR [--lines N] [--follow] [--json] [--unproven] [--keys KEYS]

--lines N              the number of records (10)
--follow               also prints new records, until it is stopped
--json                 records as they are stored
${unproven}
${subjectKeys}`,
  anchor: `suite-audit anchor DIR [--signing-key FILE] [--out FILE]

Writes a record to the log and prints the checkpoint that covers it and all earlier records of all processes.
It does not verify the log: run verify first.
${signingKey}
--out FILE             a new file (default: standard output)`,
  prove: `suite-audit prove DIR --id ID | --file FILE --index N | --consistency CHECKPOINT  [--key FILE] [--out FILE]

--id, or --file and --index   the record; its proof (C2SP tlog-proof) contains the record
--consistency FILE     proves that the log begins with the records of this checkpoint
${key}
--out FILE             a new file (default: standard output)`,
  "check-proof": `suite-audit check-proof FILE --key FILE [--anchor CHECKPOINT]

--key FILE             a trusted public key, not from the source of the proof
--anchor FILE          the checkpoint that a proof of consistency refers to`,
  export: `suite-audit export DIR --jsonl | --csv | --ocsf | --tlog  [--out PATH] [--keys KEYS] [filters]

--jsonl                records as they are stored
--csv                  RFC 4180; cells that a spreadsheet would compute begin with an apostrophe
--ocsf                 OCSF 1.8.0, class API Activity, one event per line
--tlog                 C2SP tlog-tiles, a folder per log file under --out; filters are not allowed
--out PATH             a new file or folder (default: standard output)
--keys KEYS            directory of subjects' keys, to find an encrypted user with --actor; content stays encrypted
${key}
${filters}`,
  erase: `suite-audit erase DIR --keys KEYS --subject ID [--signing-key FILE]

--keys KEYS            the directory of subjects' keys
--subject ID           the subject to erase; - reads it from standard input, which process lists do not show
${signingKey}`,
  retain: `suite-audit retain DIR --older-than DAYSd [--key FILE] [--signing-key FILE] [--dry-run] [--force]

--older-than DAYSd     for example 184d
--dry-run              prints the files that would be deleted
--force                allows less than 184 days (six months), but at least 2
${key}
${signingKey}`,
  keygen: `suite-audit keygen FILE [--name NAME]

--name NAME            the name of the key: a host name and a path, for example example.com/support`,
  "verifier-key": `suite-audit verifier-key DIR | CHECKPOINT [--key FILE]

Prints name+hash+key of C2SP signed-note, the format of Go's golang.org/x/mod/sumdb/note: one line for each file of a log, since each
has its origin as name, or one line for a checkpoint that was kept (see anchor).
--key FILE             public key; needed for a checkpoint`,
};
