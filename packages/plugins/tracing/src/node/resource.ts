// By its name as a whole: version 1 has no `resourceFromAttributes`, and this module must load beside it.
import * as sdk from "@opentelemetry/resources";
import { TracingError } from "../errors.js";

/** Who sends the spans: what code says, before `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES`, before the SDK's own. */
export function resourceOf(serviceName: string | undefined, serviceVersion: string | undefined): sdk.Resource {
  if (sdk.resourceFromAttributes === undefined) {
    throw new TracingError(
      "ERR_SDK_VERSION",
      "setupTracing() takes version 2 of OpenTelemetry's SDK, and an older one is installed. tracing() works with the provider that you register yourself; its exporters can be wrapped in those of @suite/tracing/own-provider.",
    );
  }
  return sdk
    .defaultResource()
    .merge(sdk.detectResources({ detectors: [sdk.envDetector] }))
    .merge(
      sdk.resourceFromAttributes({
        ...(serviceName !== undefined && { "service.name": serviceName }),
        ...(serviceVersion !== undefined && { "service.version": serviceVersion }),
      }),
    );
}
