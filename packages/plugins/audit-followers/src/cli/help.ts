const signingKey = "--signing-key FILE     private key of a log whose signing key is not in its directory";

/** The help of `suite-audit-follow`. */
export const followHelp = `suite-audit-follow DIR [--otlp URL]... [--postgres URL]... [--syslog URL]... [--table NAME] [--cursor FILE] [--once [--timeout SECONDS]]

Targets can be combined: each has its position, and a target that is down does not delay the others.

--otlp URL             the base address of an OpenTelemetry Collector; headers as in OTEL_EXPORTER_OTLP_HEADERS
--postgres URL         postgres://user@host/database; set the password in PGPASSWORD or ~/.pgpass, which process lists do not show
--syslog URL           tls://host:6514 or tcp://host:601: RFC 5424; for private certificates set NODE_EXTRA_CA_CERTS
--table NAME           for PostgreSQL: TABLE or SCHEMA.TABLE (suite_audit); created if missing, as is TABLE_files
--cursor FILE          stores the position, instead of a file in DIR; not needed for PostgreSQL
--once                 exits with 0 after all existing records are sent, with 1 if they are refused or damaged
--timeout SECONDS      exits with 1 after this time. Without it, --once waits for a target that is down`;

/** The help of `suite-audit-witness`. */
export const witnessHelp = `suite-audit-witness DIR --witnesses FILE [--policy N] [--timeout SECONDS] [--signing-key FILE]
suite-audit-witness DIR --verifier-key [--signing-key FILE]

Writes a record to the log, sends the head of the whole log to the witnesses (C2SP tlog-witness), and stores their
cosignatures in DIR/heads. It does not verify the log: run verify first.
--witnesses FILE       one per line: verifier key (cosignature/v1), a space, and the URL without /add-checkpoint
--policy N             exits with 1 if fewer witnesses cosign (all)
--timeout SECONDS      the timeout of each request (10)
--verifier-key         prints the key and the origin to register at witnesses, and sends no request
${signingKey}`;
