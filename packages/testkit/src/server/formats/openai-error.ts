const types: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "authentication_error",
  404: "invalid_request_error",
  413: "invalid_request_error",
  429: "rate_limit_error",
};

/** The error body of OpenAI, in both of its protocols. */
export const openAiError = (status: number, message: string): object => ({
  error: {
    message,
    type: types[status] ?? "server_error",
    param: null,
    code: status === 429 ? "rate_limit_exceeded" : null,
  },
});
