/** The main job: answers support tickets with an agent that is traced, guarded and recorded. See README.md. */
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { createAgent } from "@suite/agent";
import { verify } from "@suite/audit";
import { engine } from "@suite/pii";
import { setupTracing } from "@suite/tracing/node";
import { startViewer } from "@suite/viewer";
import { answerTicket } from "./desk.js";
import { readInput } from "./input.js";
import { deskModel } from "./model.js";
import { guard, plugins } from "./suite.js";
import { copyOf, tamper } from "./tamper.js";
import { tools } from "./tools.js";

const write = (text: string): void => void process.stdout.write(text);
const complain = (text: string): void => void process.stderr.write(`${text}\n`);

// A reader such as head(1) may have seen enough.
process.stdout.on("error", () => process.exit(0));

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { tamper: { type: "boolean", default: false }, view: { type: "boolean", default: false } },
  });
  const { tickets, problems } = await readInput(positionals[0], process.stdin);
  for (const problem of problems) complain(problem);
  if (tickets.length === 0) return 1;

  const output = resolve("support-desk-output");
  const auditDir = `${output}/audit`;
  await rm(output, { recursive: true, force: true });
  const shown = values.tamper ? copyOf(auditDir) : auditDir;
  const viewer = values.view ? await startViewer({ audit: shown, anyPort: true }) : undefined;
  if (viewer !== undefined) write(`Page: ${viewer.url}\n`);
  const desk = await deskModel(process.env);
  const trees: string[] = [];
  const telemetry = setupTracing({
    serviceName: "support-desk",
    ...(viewer !== undefined && { endpoint: viewer.endpoint }),
    redactor: guard.redactor,
    consoleTree: { write: (tree) => void trees.push(tree) },
  });
  const agent = createAgent({
    name: "support",
    model: desk.model,
    tools,
    systemPrompt: "You answer the tickets of a small shop. Look orders up before you speak of them.",
    plugins: plugins(auditDir),
  });
  write(`Model: ${desk.shown}\nPersonal data: five types, patterns of your own would run on ${engine()}\n`);

  let failed = problems.length;
  for (const ticket of tickets) {
    write(`\n${ticket.id}  ${guard.redactor.redact(ticket.text)}\n> `);
    try {
      await answerTicket({ agent, pendingDir: `${output}/pending`, write }, ticket);
    } catch (error) {
      failed++;
      complain(`${ticket.id}: ${guard.redactor.redact(String(error))}`);
    }
    await telemetry.flush();
    write(trees.splice(0).join(""));
  }
  await agent.close();
  await telemetry.shutdown();
  await desk.close();

  const verdict = await verify(auditDir);
  const state = verdict.ok ? `verified (${verdict.attestation}-attested)` : "NOT verified";
  write(`\naudit: ${verdict.records} records, ${state}\n`);
  for (const problem of verdict.problems) write(`  ${problem.file}: ${problem.message}\n`);
  if (values.tamper) {
    const { changed, verdict: after } = await tamper(auditDir);
    write(`\nchanged ${changed}\nverify: ${after.ok ? "nothing found" : "NOT verified"}\n`);
    for (const { file, line, message } of after.problems)
      write(`  ${file}${line === undefined ? "" : `:${line}`}: ${message}\n`);
    if (viewer !== undefined) write("The page shows this copy.\n");
    if (after.ok) failed++;
  }
  write(`\nwritten: ${auditDir} (the log and its key), ${output}/pending (suspended runs)\n`);
  const endpoint = viewer?.endpoint ?? process.env.OTEL_EXPORTER_OTLP_ENDPOINT;
  write(
    endpoint === undefined
      ? "spans: the trees above; OTEL_EXPORTER_OTLP_ENDPOINT sends them to a collector\n"
      : `spans: also sent to ${endpoint}\n`,
  );
  if (viewer !== undefined) {
    write(`The page stays at ${viewer.url} until Ctrl+C.\n`);
    await once(process, "SIGINT");
    await viewer.close();
  }
  return failed === 0 && verdict.ok ? 0 : 1;
}

main().then(
  (code) => {
    process.exitCode = code;
  },
  (error: NodeJS.ErrnoException) => {
    const known: Record<string, string> = {
      ERR_TESTKIT_PORT_IN_USE: `${error.message} Set MODEL_PORT.`,
      ENOENT: `There is no file ${error.path}.`,
      EISDIR: "That is a folder; give a file with one JSON ticket a line.",
    };
    complain(known[error.code ?? ""] ?? error.message);
    process.exitCode = 1;
  },
);
