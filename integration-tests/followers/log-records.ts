import { plain } from "../collector/spans.js";

interface LogRecord {
  readonly eventName?: string;
  readonly body?: { readonly stringValue?: string };
  readonly attributes?: Parameters<typeof plain>[0];
}

interface Request {
  readonly resourceLogs?: readonly { readonly scopeLogs: readonly { readonly logRecords?: readonly LogRecord[] }[] }[];
}

const logRecordsOf = (bodies: readonly string[]): LogRecord[] =>
  bodies
    .map((body) => JSON.parse(body) as Request)
    .flatMap(({ resourceLogs = [] }) => resourceLogs)
    .flatMap(({ scopeLogs }) => scopeLogs)
    .flatMap(({ logRecords = [] }) => logRecords);

/** The records that came, each after its file and index, in the order in which they came. */
export const recordsIn = (bodies: readonly string[]): string[] =>
  logRecordsOf(bodies)
    .filter(({ eventName }) => eventName === "suite.audit.record")
    .map(({ body, attributes }) => {
      const { "suite.audit.file": file, "suite.audit.index": index } = plain(attributes);
      return `${file} ${index} ${body?.stringValue}`;
    });

/** The checkpoints that came: signed notes. */
export const checkpointsIn = (bodies: readonly string[]): string[] =>
  logRecordsOf(bodies)
    .filter(({ eventName }) => eventName === "suite.audit.checkpoint")
    .map(({ body }) => body?.stringValue ?? "");
