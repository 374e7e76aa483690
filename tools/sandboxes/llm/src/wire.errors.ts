export type ErrorKind = 'auth' | 'invalid' | 'model' | 'path' | 'context' | 'rate' | 'server';

/** An error answer, independent of the wire format. */
export class WireError extends Error {
  constructor(
    readonly status: number,
    readonly kind: ErrorKind,
    message: string,
    readonly details: { readonly param?: string; readonly retryAfterSeconds?: number } = {},
  ) {
    super(message);
  }
}

const OPENAI: Readonly<Record<ErrorKind, { type: string; code: string | null }>> = {
  auth: { type: 'invalid_request_error', code: 'invalid_api_key' },
  invalid: { type: 'invalid_request_error', code: null },
  model: { type: 'invalid_request_error', code: 'model_not_found' },
  path: { type: 'invalid_request_error', code: 'unknown_url' },
  context: { type: 'invalid_request_error', code: 'context_length_exceeded' },
  rate: { type: 'requests', code: 'rate_limit_exceeded' },
  server: { type: 'server_error', code: null },
};

/** https://platform.openai.com/docs/guides/error-codes */
export const openaiError = ({ kind, message, details }: WireError): unknown => ({
  error: { message, type: OPENAI[kind].type, param: details.param ?? null, code: OPENAI[kind].code },
});

const ANTHROPIC: Readonly<Record<ErrorKind, string>> = {
  auth: 'authentication_error',
  invalid: 'invalid_request_error',
  model: 'not_found_error',
  path: 'not_found_error',
  context: 'invalid_request_error',
  rate: 'rate_limit_error',
  server: 'api_error',
};

/** https://docs.anthropic.com/en/api/errors */
export const anthropicError = ({ kind, message }: WireError, requestId: string): unknown => ({
  type: 'error',
  error: { type: ANTHROPIC[kind], message: kind === 'context' ? `prompt is too long: ${message}` : message },
  request_id: requestId,
});
