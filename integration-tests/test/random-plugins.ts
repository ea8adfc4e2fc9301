import { audit } from "@suite/audit";
import { MiddlewareTermination, type Plugin } from "@suite/core";
import { pii } from "@suite/pii";

/** The plugins that a plan may have beside tracing. */
export const others: Readonly<Record<string, () => Plugin>> = {
  pii: () => pii({ email: "redact" }, { apply: { output: true, toolArguments: true, toolResults: true } }),
  audit: () => audit({ sink: { append: async () => {}, close: async () => {} }, warn: () => {} }),
  retry: () => ({
    name: "retry",
    async model(call, next) {
      try {
        await next();
        await call.result?.ready();
      } catch {
        await next();
      }
    },
    async tool(call, next) {
      await next().catch(next);
      if (call.request.tool.name === "count") await next();
    },
  }),
  fallback: () => ({
    name: "fallback",
    model: (call, next) =>
      next().catch(() => {
        call.request = { ...call.request, model: "small" };
        return next();
      }),
  }),
  guard: () => ({
    name: "guard",
    async tool(call, next) {
      await next();
      if (call.request.tool.name === "marked") throw new MiddlewareTermination("enough", { scope: "call" });
    },
  }),
  gate: () => ({
    name: "gate",
    async tool(call, next) {
      if (call.request.tool.name === "add") return call.respond({ value: "cached" });
      await next();
    },
  }),
};
