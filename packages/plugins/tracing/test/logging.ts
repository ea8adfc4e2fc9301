import { logs } from "@opentelemetry/api-logs";
import {
  InMemoryLogRecordExporter,
  LoggerProvider,
  type ReadableLogRecord,
  SimpleLogRecordProcessor,
} from "@opentelemetry/sdk-logs";

/** The real SDK, keeping what it would send. */
export class Logging {
  readonly #exporter = new InMemoryLogRecordExporter();
  readonly provider = new LoggerProvider({ processors: [new SimpleLogRecordProcessor({ exporter: this.#exporter })] });

  register(): this {
    logs.setGlobalLoggerProvider(this.provider);
    return this;
  }

  get records(): readonly ReadableLogRecord[] {
    return this.#exporter.getFinishedLogRecords();
  }

  get names(): readonly (string | undefined)[] {
    return this.records.map(({ eventName }) => eventName);
  }

  /** The one record of an event. */
  named(name: string): ReadableLogRecord {
    const found = this.records.filter(({ eventName }) => eventName === name);
    if (found.length !== 1) throw new Error(`${found.length} records are ${name}; there are ${this.names.join(", ")}`);
    return found[0] as ReadableLogRecord;
  }
}
