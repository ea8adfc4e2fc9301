import { arch, hostname } from "node:os";
// Imported as a namespace: version 1 has no `resourceFromAttributes`, and this module must load with it.
import * as sdk from "@opentelemetry/resources";
import { TracingError } from "../errors.js";

/** Processor names that the conventions spell differently. */
const ARCHITECTURES: Readonly<Record<string, string>> = {
  __proto__: null as never,
  x64: "amd64",
  arm: "arm32",
  ia32: "x86",
};

/**
 * Returns the attributes of the process and its machine, which distinguish replicas. Unlike the SDK's detector it omits
 * arguments and user: those may be secrets and personal data.
 */
const instance = () => ({
  "service.instance.id": crypto.randomUUID(),
  "host.name": hostname(),
  "host.arch": ARCHITECTURES[arch()] ?? arch(),
  "process.pid": process.pid,
  "process.runtime.name": "nodejs",
  "process.runtime.version": process.versions.node,
});

/**
 * Returns the resource of all spans. The options take precedence over `OTEL_SERVICE_NAME` and
 * `OTEL_RESOURCE_ATTRIBUTES`, and these over the default attributes.
 */
export function resourceOf(serviceName: string | undefined, serviceVersion: string | undefined): sdk.Resource {
  if (sdk.resourceFromAttributes === undefined) {
    throw new TracingError(
      "ERR_TRACING_SDK_VERSION",
      "setupTracing() requires version 2 of OpenTelemetry's SDK, but an older version is installed. tracing() works with the provider that you register yourself; its exporters can be wrapped in those of @suite/tracing/own-provider.",
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
