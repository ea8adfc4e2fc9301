import { access } from "node:fs/promises";
import { resolve } from "node:path";
import { CliError } from "../errors.js";
import { find } from "../project/installed.js";
import { type Place, places, plantedIn, type Report, types } from "./canary/planted.js";
import { runSetup } from "./canary/process.js";
import { type Receiver, startReceiver } from "./canary/receiver.js";
import { type Finding, note, ok, wrong } from "./finding.js";

const SUBJECT = "redactor";

/**
 * Checks that the redactor reaches telemetry. Without a set-up only the installed packages are checked. With one, a
 * tiny agent runs with planted values, and the data that arrives at a local receiver is searched.
 *
 * @throws CliError `ERR_CLI_OPTION` if the file does not exist
 */
export async function checkRedactor(folder: string, setup: string | undefined): Promise<readonly Finding[]> {
  if (setup !== undefined) return [await tried(resolve(folder, setup))];
  if ((await find("@suite/tracing", folder)) === undefined) return [];
  if ((await find("@suite/pii", folder)) === undefined)
    return [
      note(
        SUBJECT,
        "No redactor is installed: prompts are not recorded by default, but error messages are sent unredacted.",
        "npm install @suite/pii, if your program handles personal data",
      ),
    ];
  return [
    note(
      SUBJECT,
      "It is installed. A run shows if it redacts telemetry.",
      "suite doctor --setup FILE, with a module that sets up tracing and exports plugins",
    ),
  ];
}

async function tried(file: string): Promise<Finding> {
  await access(file).catch((cause: unknown) => {
    throw new CliError("ERR_CLI_OPTION", "--setup: the file does not exist.", { cause });
  });
  const receiver = await startReceiver();
  try {
    const ran = await runSetup(file, receiver.endpoint);
    if ("failed" in ran)
      return wrong(
        SUBJECT,
        `The set-up failed: ${ran.failed}`,
        "make it a module that can be imported on its own (for TypeScript: NODE_OPTIONS='--import tsx')",
      );
    return judged(ran.report, receiver);
  } finally {
    await receiver.close();
  }
}

function judged({ covered }: Report, receiver: Receiver): Finding {
  if (!receiver.spans())
    return wrong(
      SUBJECT,
      "No span arrived at the doctor's receiver, so the redactor could not be tested.",
      "call setupTracing() without an endpoint in the set-up, and export plugins that include tracing()",
    );
  const leaks = places.flatMap((place) =>
    types.filter((type) => receiver.has(plantedIn(type, place))).map((type) => ({ type, place })),
  );
  if (leaks.length === 0)
    return ok(SUBJECT, `Values of ${types.length} types were planted in ${places.length} places, and none arrived.`);
  if (covered === undefined)
    return wrong(
      SUBJECT,
      `No exported plugin has a redactor, and planted values arrived: ${summary(leaks)}.`,
      "put pii() of @suite/pii into plugins, and its redactor into setupTracing({ redactor })",
    );
  const missed = leaks.filter(({ type }) => covered.includes(type));
  if (missed.length === 0)
    return note(
      SUBJECT,
      `Types that its rules cover (${covered.join(", ")}) did not arrive. Types without a rule arrived: ${summary(leaks)}.`,
      "add rules for these types if your program handles such values",
    );
  return wrong(
    SUBJECT,
    `Values arrived although rules cover their types: ${summary(missed)}.`,
    missed.every(({ place }) => place === "span of other code")
      ? "it only redacts the suite's spans: setupTracing({ redactor: guard.redactor }) covers those of other code"
      : "add pii() to the list of plugins that contains tracing(), and to setupTracing({ redactor })",
  );
}

/** A planted value that arrived unchanged. */
interface Leak {
  readonly type: string;
  readonly place: Place;
}

/** Lists the types, and their places. */
function summary(leaks: readonly Leak[]): string {
  const unique = (words: readonly string[]) => [...new Set(words)].join(", ");
  return `${unique(leaks.map(({ type }) => type))} of ${unique(leaks.map(({ place }) => place))}`;
}
