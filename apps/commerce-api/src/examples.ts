import type { Example } from '@platform/http';

/** In an example: an id that is new each time. */
export const NEW_ID = '0199f7a0-0000-7000-8000-00000000beef';

/** Answers that many examples share. */
export const ok = (data: unknown, message = 'OK'): object => ({ status: 'success', message, data });

export const succeeded = (
  data: unknown,
  more: { request?: object; message?: string; status?: number } = {},
): Example => ({
  summary: 'done',
  request: more.request,
  status: more.status ?? 200,
  response: ok(data, more.message),
});

export const noToken = (request?: object): Example => ({
  summary: 'no token',
  request,
  status: 401,
  response: { status: 'error', message: 'Unauthenticated', code: 'unauthenticated' },
});

export const invalid = (summary: string, request: object, field: string, message: string): Example => ({
  summary,
  request,
  status: 422,
  response: { status: 'error', message, code: 'validation', errors: { [field]: [message] } },
});

/** `status` is that of its kind. */
export const refused = (
  summary: string,
  request: object | undefined,
  status: number,
  { message, code, ...more }: { message: string; code: string } & Record<string, unknown>,
): Example => ({ summary, request, status, response: { status: 'error', message, code, ...more } });

/** One success of a list of many, or of a row whose id stands in the path: its spec shows the whole bodies. */
export const succeeds = (
  summary: string,
  data: unknown,
  { meta, ...more }: { request?: object; message?: string; status?: number; meta?: object } = {},
): Example[] => {
  const example = { ...succeeded(data, more), summary };
  return [meta === undefined ? example : { ...example, response: { ...(example.response as object), meta } }];
};

/** The position of a page that holds everything. */
export const onlyPage = (rows: number): object => ({
  ...{ current_page: 1, per_page: 15, total: rows, last_page: 1, from: 1, to: rows },
});
