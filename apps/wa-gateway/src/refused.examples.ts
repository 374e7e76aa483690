/** What the gateway answers to a request that breaks these rules, the first of them in its message (design 2.1). */
export const refused = (...errors: readonly { field: string; tag: string; message: string }[]) => ({
  success: false,
  message: errors[0]?.message,
  error: { code: 'VALIDATION', retryable: false, errors },
});

export const invalid = (field: string, tag: string, message = `${field} is not valid`) =>
  refused({ field, tag, message });

export const required = (...fields: readonly string[]) =>
  refused(...fields.map((field) => ({ field, tag: 'required', message: `${field} is required` })));

/** There is no device, broadcast, … of that name. */
export const unknown = (thing: string) => ({
  success: false,
  message: `${thing} not found`,
  error: { code: 'NOT_FOUND', retryable: false },
});
