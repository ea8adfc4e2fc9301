import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { isThere } from "../project/is-there.js";
import { type Finding, note, ok, wrong } from "./finding.js";

const SUBJECT = "audit log";
/** The default folder of a log. */
const DEFAULT = ".suite/audit";

/** The part of a verdict of @suite/audit that is read here. */
interface Verdict {
  readonly ok: boolean;
  readonly size: number;
  readonly files: readonly unknown[];
  readonly problems: readonly { readonly doubt?: boolean; readonly kind: string }[];
}

type Verify = (folder: string) => Promise<Verdict>;

/** Verifies an audit log with the installed @suite/audit: in the given folder, or in the default one if it exists. */
export async function checkAudit(folder: string, dirOption: string | undefined): Promise<readonly Finding[]> {
  const dir = resolve(folder, dirOption ?? DEFAULT);
  if (dirOption === undefined && !(await isThere(dir))) return [];
  const verify = await installedVerify(folder);
  if (verify === undefined)
    return [
      wrong(
        SUBJECT,
        "@suite/audit is not installed here. It is required to verify the log.",
        "npx -p @suite/audit suite-audit verify DIR",
      ),
    ];
  try {
    return [judged(await verify(dir), dirOption ?? DEFAULT)];
  } catch (error) {
    const { code = "unknown" } = error as NodeJS.ErrnoException;
    return [
      wrong(
        SUBJECT,
        `It cannot be verified: ${/^\w{1,60}$/.test(code) ? code : "unknown"}.`,
        "pass the folder of a log to --audit",
      ),
    ];
  }
}

async function installedVerify(folder: string): Promise<Verify | undefined> {
  try {
    const entry = createRequire(join(folder, "package.json")).resolve("@suite/audit");
    return ((await import(pathToFileURL(entry).href)) as { readonly verify: Verify }).verify;
  } catch {
    return undefined;
  }
}

function judged({ ok: verified, size, files, problems }: Verdict, dir: string): Finding {
  if (verified) return ok(SUBJECT, `verified: ${count(size, "record")} in ${count(files.length, "file")}`);
  const see = `npx suite-audit verify ${dir}, which reports the location`;
  if (problems.every(({ doubt }) => doubt === true))
    return note(SUBJECT, `in doubt: the end of ${count(problems.length, "file")}`, see);
  const kinds = [...new Set(problems.map(({ kind }) => kind))].join(", ");
  return wrong(SUBJECT, `not verified: ${count(problems.length, "problem")} (${kinds})`, see);
}

const count = (n: number, what: string): string => `${n} ${what}${n === 1 ? "" : "s"}`;
