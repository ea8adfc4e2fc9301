import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, stat } from "node:fs/promises";
import { parseArgs } from "node:util";
import { packageUrl } from "@suite/kit/package";
import { type ApproveModule, loadApprovals } from "../approvals/given.js";
import { ViewerError } from "../errors.js";
import { hasSpans } from "../store/span-log.js";
import { startViewer, type Viewer } from "../viewer.js";
import { printRuns } from "./runs.js";

const help = `suite-viewer: shows what an agent did, in the browser

  suite-viewer [OPTIONS] [-- COMMAND ARGUMENTS…]
  suite-viewer runs [--json] --data DIR [QUERY]

Receives traces by OTLP over HTTP, and serves a page that shows them. A COMMAND is
started with OTEL_EXPORTER_OTLP_ENDPOINT set, so that it sends its traces here; the viewer
continues after it ends. \`runs\` prints the runs in a folder, one per line; with --json as
JSON lines; with a QUERY only the runs that match it, for example: refund is:error

  --port N        the port of the page (4319; 0 for any free port)
  --otlp-port N   the port for traces (4318; 0 for any free port); with a COMMAND,
                  other ports are used if these are taken
  --max-spans N   the maximum number of spans (200000)
  --data DIR      a folder that stores spans across restarts
  --audit DIR     the folder of a log of @suite/audit: shows each run's records and their proofs
  --audit-key F   a file with trusted public keys of that log
  --approve F     a module that exports \`approvals\`, the result of approvals({ store, keys })
                  of @suite/approval: waiting requests can be decided on the page
  --approve-as N  the name of the person who decides, for the record (the machine's user)
  --version       the version
  --help          this text

Stop it with Ctrl+C.
`;

/** Runs `suite-viewer` with these arguments, until it is stopped. @returns the exit code. */
export async function main(args: readonly string[]): Promise<number> {
  const at = args.indexOf("--");
  const command = at < 0 ? [] : args.slice(at + 1);
  let viewer: Viewer;
  let loaded: ApproveModule | undefined;
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      args: at < 0 ? [...args] : args.slice(0, at),
      options: {
        port: { type: "string" },
        "otlp-port": { type: "string" },
        "max-spans": { type: "string" },
        data: { type: "string" },
        audit: { type: "string" },
        "audit-key": { type: "string" },
        approve: { type: "string" },
        "approve-as": { type: "string" },
        json: { type: "boolean" },
        help: { type: "boolean", short: "h" },
        version: { type: "boolean" },
      },
    });
    if (values.help === true) {
      process.stdout.write(help);
      return 0;
    }
    if (values.version === true) {
      process.stdout.write(`${await version()}\n`);
      return 0;
    }
    const [name, ...query] = positionals;
    if (name === "runs") {
      await printRuns(values.data, values.json === true, query.join(" "));
      return 0;
    }
    if (name !== undefined)
      throw new ViewerError("ERR_VIEWER_OPTION", "Unknown command of the viewer. Put -- before a program to run.");
    if (values.audit !== undefined && !(await isFolder(values.audit)))
      process.stderr.write("The folder of --audit does not exist yet. Its records are shown once it exists.\n");
    if (values.data !== undefined && (await hasSpans(values.data)))
      process.stderr.write("Reading the stored spans …\n");
    loaded = values.approve === undefined ? undefined : await loadApprovals(values.approve);
    viewer = await startViewer({
      // The command receives the address, so it need not be the default one of exporters.
      anyPort: command.length > 0 && anyOf(values.port === undefined, values["otlp-port"] === undefined),
      ...(values.port !== undefined && { port: numberOf("--port", values.port) }),
      ...(values["otlp-port"] !== undefined && { otlpPort: numberOf("--otlp-port", values["otlp-port"]) }),
      ...(values.data !== undefined && { data: values.data }),
      ...(values.audit !== undefined && { audit: values.audit }),
      ...(values["audit-key"] !== undefined && { auditKey: await keysIn(values["audit-key"]) }),
      ...(loaded !== undefined && { approve: loaded.approvals }),
      ...(values["approve-as"] !== undefined && { approveAs: values["approve-as"] }),
      ...(values["max-spans"] !== undefined && { maxSpans: numberOf("--max-spans", values["max-spans"]) }),
    });
  } catch (error) {
    const isUsage = (error as { code?: unknown }).code?.toString().startsWith("ERR_PARSE_ARGS") === true;
    if (!isUsage && !ViewerError.is(error)) throw error;
    process.stderr.write(`${firstSentence((error as Error).message)}\n${isUsage ? `\n${help}` : ""}`);
    return 2;
  }
  // With a command, standard output belongs to the command, which may use it for a protocol, as an MCP server does.
  const output = command.length > 0 ? process.stderr : process.stdout;
  output.write(`Page:   ${viewer.url}\nTraces: ${viewer.endpoint} (OTLP over HTTP)\n`);
  const stopped = Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
  if (command.length > 0) await run(command, viewer.endpoint);
  await stopped;
  await viewer.close();
  await loaded?.close?.();
  return 0;
}

/** Runs the command, whose traces are sent here soon after each span's end. */
async function run([program = "", ...args]: readonly string[], endpoint: string): Promise<void> {
  const env = { OTEL_BSP_SCHEDULE_DELAY: "200", ...process.env, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint };
  const child = spawn(program, args, { stdio: "inherit", env });
  try {
    const [code, signal] = (await once(child, "close")) as [number | null, string | null];
    process.stderr.write(
      `\nThe command ended with ${signal ?? `code ${code}`}. The page stays open. Press Ctrl+C to end it.\n`,
    );
  } catch (error) {
    process.stderr.write(
      `The command could not be started: ${(error as NodeJS.ErrnoException).code ?? "it failed"}.\n`,
    );
  }
}

/** Returns the ports that may be replaced by any other. */
const anyOf = (page: boolean, traces: boolean): boolean | "page" | "traces" =>
  page && traces ? true : page ? "page" : traces ? "traces" : false;

/** Removes Node's hint about arguments that begin with a dash, which no command here accepts. */
const firstSentence = (message: string): string => message.replace(/\. To specify a positional argument[\s\S]*$/, ".");

/** The version of this package. */
async function version(): Promise<string> {
  const text = await readFile(new URL("package.json", packageUrl(import.meta.url)), "utf8");
  return (JSON.parse(text) as { readonly version: string }).version;
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

const keysIn = (path: string): Promise<string> =>
  readFile(path, "utf8").catch((cause: unknown) => {
    throw new ViewerError("ERR_VIEWER_OPTION", "The file of --audit-key cannot be read.", { cause });
  });

function numberOf(option: string, value: string): number {
  if (/^\d{1,9}$/.test(value)) return Number(value);
  throw new ViewerError("ERR_VIEWER_OPTION", `${option} takes an integer.`);
}
