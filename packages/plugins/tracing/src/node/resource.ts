import { arch, hostname } from "node:os";
// By its name as a whole: version 1 has no `resourceFromAttributes`, and this module must load beside it.
import * as sdk from "@opentelemetry/resources";
import { TracingError } from "../errors.js";

/** Names of processors that the conventions have other words for. */
const ARCHITECTURES: Readonly<Record<string, string>> = {
  __proto__: null as never,
  x64: "amd64",
  arm: "arm32",
  ia32: "x86",
};

/**
 * The process, and the machine that it is on: which of several replicas a span is of. Not its arguments, nor its user,
 * as the SDK's detector has them: those may be secrets and people.
 */
const instance = () => ({
  "service.instance.id": crypto.randomUUID(),
  "host.name": hostname(),
  "host.arch": ARCHITECTURES[arch()] ?? arch(),
  "process.pid": process.pid,
  "process.runtime.name": "nodejs",
  "process.runtime.version": process.versions.node,
});

/** The resource of all spans: what code says, before `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES`, before our own. */
export function resourceOf(serviceName: string | undefined, serviceVersion: string | undefined): sdk.Resource {
  if (sdk.resourceFromAttributes === undefined) {
    throw new TracingError(
      "ERR_TRACING_SDK_VERSION",
      "setupTracing() takes version 2 of OpenTelemetry's SDK, and an older one is installed. tracing() works with the provider that you register yourself; its exporters can be wrapped in those of @suite/tracing/own-provider.",
    );
  }
  return sdk
    .defaultResource()
    .merge(sdk.resourceFromAttributes(instance()))
    .merge(sdk.detectResources({ detectors: [sdk.envDetector] }))
    .merge(
      sdk.resourceFromAttributes({
        ...(serviceName !== undefined && { "service.name": serviceName }),
        ...(serviceVersion !== undefined && { "service.version": serviceVersion }),
      }),
    );
}
