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
        "None is installed: prompts are not recorded unless you ask, but messages of errors leave as they are.",
        "npm install @suite/pii, where personal data may come by",
      ),
    ];
  return [
    note(
      SUBJECT,
      "It is installed. Whether it reaches telemetry shows when it runs.",
      "suite doctor --setup FILE, a module that sets tracing up and exports plugins",
    ),
  ];
}

async function tried(file: string): Promise<Finding> {
  await access(file).catch((cause: unknown) => {
    throw new CliError("ERR_CLI_OPTION", "--setup: there is no such file.", { cause });
  });
  const receiver = await startReceiver();
  try {
    const ran = await runSetup(file, receiver.endpoint);
    if ("failed" in ran)
      return wrong(
        SUBJECT,
        `The set-up could not be run: ${ran.failed}`,
        "make it a module that can be imported by itself (of TypeScript: NODE_OPTIONS='--import tsx')",
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
      "No span arrived at the doctor's receiver, so nothing can be told.",
      "let the set-up call setupTracing() without an endpoint, and export plugins with tracing() among them",
    );
  const leaks = places.flatMap((place) =>
    types.filter((type) => receiver.has(plantedIn(type, place))).map((type) => ({ type, place })),
  );
  if (leaks.length === 0)
    return ok(SUBJECT, `Values of ${types.length} types were planted in ${places.length} places, and none arrived.`);
  if (covered === undefined)
    return wrong(
      SUBJECT,
      `No plugin that the set-up exports has one, and what was planted arrived: ${told(leaks)}.`,
      "put pii() of @suite/pii into plugins, and its redactor into setupTracing({ redactor })",
    );
  const missed = leaks.filter(({ type }) => covered.includes(type));
  if (missed.length === 0)
    return note(
      SUBJECT,
      `What its rules cover (${covered.join(", ")}) did not arrive. What they do not cover did: ${told(leaks)}.`,
      "add rules for these types, where such values may come by",
    );
  return wrong(
    SUBJECT,
    `Its rules cover what arrived all the same: ${told(missed)}.`,
    missed.every(({ place }) => place === "span of other code")
      ? "it reaches the suite's spans alone: setupTracing({ redactor: guard.redactor }) covers those of other code"
      : "have pii() in the list of plugins that tracing() is in, and in setupTracing({ redactor })",
  );
}

/** A planted value that arrived unchanged. */
interface Leak {
  readonly type: string;
  readonly place: Place;
}

/** Lists the types, and the places where they were planted. */
function told(leaks: readonly Leak[]): string {
  const unique = (words: readonly string[]) => [...new Set(words)].join(", ");
  return `${unique(leaks.map(({ type }) => type))} of ${unique(leaks.map(({ place }) => place))}`;
}
