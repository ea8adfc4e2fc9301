import { context, type Span, SpanKind, SpanStatusCode, type Tracer, trace } from "@opentelemetry/api";
import type { ModelRequest, Reply, RuntimeContext, Tool } from "@suite/core";

/** Spans around the functions that do the work. */
export interface SpansByHand {
  agent(run: RuntimeContext, work: () => Promise<Reply>): Promise<Reply>;
  chat(run: RuntimeContext, request: ModelRequest, work: () => Promise<Reply>): Promise<Reply>;
  tool(run: RuntimeContext, id: string, tool: Tool, work: () => Promise<unknown>): Promise<unknown>;
}

/** The spans that `tracing()` makes, with the same attributes, as a careful team writes them by hand. */
export function byHand(tracer: Tracer): SpansByHand {
  async function within<T>(span: Span, work: () => Promise<T>, onResult?: (value: T) => void): Promise<T> {
    try {
      const value = await context.with(trace.setSpan(context.active(), span), work);
      onResult?.(value);
      return value;
    } catch (error) {
      span.recordException(error as Error);
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  }
  return {
    agent(run, work) {
      const attributes = { "gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": run.agent?.name };
      const span = tracer.startSpan(`invoke_agent ${run.agent?.name}`, { kind: SpanKind.INTERNAL, attributes });
      span.setAttributes({
        "gen_ai.conversation.id": run.sessionId,
        "session.id": run.sessionId,
        "suite.run.id": run.runId,
      });
      return within(span, work, ({ finishReason }) => {
        if (finishReason !== undefined) span.setAttribute("gen_ai.response.finish_reasons", [finishReason]);
      });
    },
    chat(run, request, work) {
      const attributes = {
        "suite.agent.name": run.agent?.name,
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": request.provider,
        "gen_ai.request.model": request.model,
        "server.address": request.server?.address,
        "server.port": request.server?.port ?? 443,
      };
      const span = tracer.startSpan(`chat ${request.model}`, { kind: SpanKind.CLIENT, attributes });
      span.setAttributes({ "gen_ai.conversation.id": run.sessionId, "session.id": run.sessionId });
      return within(span, work, ({ finishReason, usage, response }) => {
        span.setAttributes({
          "gen_ai.usage.input_tokens": usage?.inputTokens,
          "gen_ai.usage.output_tokens": usage?.outputTokens,
          "gen_ai.response.id": response?.id,
          "gen_ai.response.model": response?.model,
        });
        if (finishReason !== undefined) span.setAttribute("gen_ai.response.finish_reasons", [finishReason]);
      });
    },
    tool(run, id, tool, work) {
      const attributes = {
        "gen_ai.agent.name": run.agent?.name,
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": tool.name,
        "gen_ai.tool.type": "function",
      };
      const span = tracer.startSpan(`execute_tool ${tool.name}`, { kind: SpanKind.INTERNAL, attributes });
      span.setAttributes({
        "gen_ai.conversation.id": run.sessionId,
        "session.id": run.sessionId,
        "gen_ai.tool.description": tool.description,
        "gen_ai.tool.call.id": id,
      });
      return within(span, work);
    },
  };
}
