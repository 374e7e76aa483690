const SECRET_KEYS =
  /^(password|current_password|token|refresh_token|access_token|id_token|secret|client_secret|otp|pin|code|challenge|authorization|cookie|set-cookie|x-api-key|x-internal-token|x-signature|x-gateway-signature|signature|private_key|api_key|apikey|text|message_text|caption|pesan|rawmessage|prompt)$/i;
const BEARER = /\b(Bearer|Basic)\s+[\w.~+/=-]+/gi;
const JWT = /\beyJ[\w-]+\.[\w-]+\.[\w-]*/g;
const URL_PASSWORD = /(\w+:\/\/[^\s:/@]*):[^\s@/]+@/g;

const cleanText = (value: string): string =>
  value.replace(BEARER, '$1 [redacted]').replace(JWT, '[redacted]').replace(URL_PASSWORD, '$1:[redacted]@');

/** Field names whose values never reach the log: credentials, signatures, and what people wrote to each other. */
export const isSecretField = (name: string): boolean => SECRET_KEYS.test(name);

/**
 * A copy that is safe to log: secret fields become `[redacted]`, tokens and passwords inside texts too, errors keep name,
 * message, stack and cause. Depth is bounded, so that a driver's object graph cannot fill the log.
 */
export const redact = (value: unknown, depth = 0): unknown => {
  if (typeof value === 'string') return cleanText(value);
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > 4) return '[deep]';
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Error) return redactError(value, depth);
  if (Array.isArray(value)) return value.slice(0, 50).map((item) => redact(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, isSecretField(key) ? '[redacted]' : redact(item, depth + 1)]),
  );
};

/** Errors of drivers carry statements and parameters; only what says what went wrong is kept. */
const redactError = (error: Error, depth: number): Record<string, unknown> => ({
  name: error.name,
  message: cleanText(error.message),
  ...('code' in error && typeof error.code === 'string' ? { reason: error.code } : {}),
  stack: cleanText(error.stack ?? '')
    .split('\n')
    .slice(0, 12)
    .join('\n'),
  ...(error.cause === undefined ? {} : { cause: redact(error.cause, depth + 1) }),
});
