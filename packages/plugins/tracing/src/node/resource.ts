import {
  defaultResource,
  detectResources,
  envDetector,
  type Resource,
  resourceFromAttributes,
} from "@opentelemetry/resources";

/** Who sends the spans: what code says, before `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES`, before the SDK's own. */
export function resourceOf(serviceName: string | undefined, serviceVersion: string | undefined): Resource {
  return defaultResource()
    .merge(detectResources({ detectors: [envDetector] }))
    .merge(
      resourceFromAttributes({
        ...(serviceName !== undefined && { "service.name": serviceName }),
        ...(serviceVersion !== undefined && { "service.version": serviceVersion }),
      }),
    );
}
