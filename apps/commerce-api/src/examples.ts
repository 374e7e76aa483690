import type { Example } from '@platform/http';

interface Shown {
  readonly status?: number;
  readonly message?: string;
  readonly meta?: object;
  readonly request?: object;
}

/** The example of a success, in the envelope of this service. */
export const succeeds = (
  summary: string,
  data: unknown,
  { status = 200, message = 'OK', ...more }: Shown = {},
): Example[] => {
  const { meta, request } = more;
  return [
    {
      summary,
      ...(request === undefined ? {} : { request }),
      status,
      response: { status: 'success', message, data, ...(meta === undefined ? {} : { meta }) },
    },
  ];
};

/** The position of a page that holds everything. */
export const onlyPage = (rows: number): object => ({
  current_page: 1,
  per_page: 15,
  total: rows,
  last_page: 1,
  from: 1,
  to: rows,
});
