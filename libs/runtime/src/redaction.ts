const SECRET_NAMES = [
  ...['password', 'current_password', 'token', 'refresh_token', 'access_token', 'id_token', 'secret', 'client_secret'],
  ...['otp', 'pin', 'code', 'challenge', 'authorization', 'cookie', 'set-cookie', 'x-api-key', 'x-internal-token'],
  ...['x-signature', 'x-gateway-signature', 'signature', 'private_key', 'api_key', 'apikey'],
  ...['public-key', 'appsecret_proof', 'fb_exchange_token', 'input_token', 'credit', 'x-payment-reference'],
  ...['text', 'message_text', 'caption', 'pesan', 'rawmessage', 'prompt'],
];
const SECRET_FIELDS = new Set(SECRET_NAMES);
const BEARER = /\b(Bearer|Basic)\s+[\w.~+/=-]+/gi;
const JWT = /\beyJ[\w-]+\.[\w-]+\.[\w-]*/g;
/** To the last `@` of the authority: a password may hold some, which addresses are read with too. */
const URL_PASSWORD = /(\w+:\/\/[^\s:/@]*):[^\s/]+@/g;

/** Matches whatever any of the three could: nearly every text of an access log needs only this one test. */
const SUSPICIOUS = /bearer|basic|eyJ|:\/\//i;

const cleanText = (value: string): string => (SUSPICIOUS.test(value) ? withoutSecrets(value) : value);

const withoutSecrets = (value: string): string =>
  value.replace(BEARER, '$1 [redacted]').replace(JWT, '[redacted]').replace(URL_PASSWORD, '$1:[redacted]@');

/** Field names whose values never reach the log: credentials, signatures, and what people wrote to each other. */
export const isSecretField = (name: string): boolean => SECRET_FIELDS.has(name.toLowerCase());

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
  const copy: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value))
    copy[key] = isSecretField(key) ? '[redacted]' : redact(item, depth + 1);
  return copy;
};

/** Anything in a JSON text that `redact` would touch; finds too much rather than too little. */
const NEEDS_REDACTION = new RegExp(`${SUSPICIOUS.source}|"(?:${SECRET_NAMES.join('|')})":`, 'i');

const isFlat = (fields: Readonly<Record<string, unknown>>): boolean => {
  for (const key in fields) if (typeof fields[key] === 'object' || typeof fields[key] === 'bigint') return false;
  return true;
};

/**
 * The fields as JSON text that is safe to log. Nearly every line is an access log's, flat and without secrets: it is
 * searched once as a text instead of field by field.
 */
export const redactedJson = (fields: Readonly<Record<string, unknown>>): string => {
  if (isFlat(fields)) {
    const text = JSON.stringify(fields);
    if (!NEEDS_REDACTION.test(text)) return text;
  }
  return JSON.stringify(redact(fields));
};

/** Errors of drivers carry statements and parameters; only what explains the error is kept. */
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
