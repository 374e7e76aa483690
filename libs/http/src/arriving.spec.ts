import { EventEmitter } from 'node:events';
import type { Request, Response } from 'express';
import { arrivalLimit, punctual, REQUEST_MS, UPLOAD_MS } from './arriving';
import { endpointsOf, type Endpoint } from './endpoint';

const endpoint = endpointsOf<{ public: undefined }>();
const common = { summary: 'x', guard: 'public', reply: 'json', handle: () => ({}) } as const;
const TEN_MINUTES = 600_000;
const json = endpoint({ post: '/json', ...common });
const form = endpoint({ post: '/form', ...common, files: { file: { maxBytes: 1 } } });
const wholeFile = { directory: '/nowhere', maxBytes: 1, limitMs: TEN_MINUTES };
const file = endpoint({ put: '/file', ...common, wholeFile });

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/** When a request of this endpoint that never ends is cut off, in milliseconds; undefined: not by us. */
const cutAfter = (
  all: readonly Endpoint[],
  of: Endpoint | undefined,
  { answeredAt, ...more }: { answeredAt?: number; headers?: object; complete?: boolean } = {},
): number | undefined => {
  let cut: number | undefined;
  const begun = Date.now();
  const destroy = (): void => void (cut ??= Date.now() - begun);
  const request = Object.assign(new EventEmitter(), {
    ...{ headers: { 'content-length': '9' }, complete: false, destroy },
    ...more,
  });
  const response = new EventEmitter();
  punctual(all, of, () => undefined)(request as unknown as Request, response as unknown as Response);
  if (answeredAt !== undefined) setTimeout(() => response.emit('finish'), answeredAt);
  jest.advanceTimersByTime(2 * TEN_MINUTES);
  return cut;
};

it('a server waits for a request as long as the most patient of its endpoints', () => {
  expect(arrivalLimit([json])).toBe(REQUEST_MS);
  expect(arrivalLimit([json, form])).toBe(UPLOAD_MS);
  expect(arrivalLimit([json, form, file])).toBe(TEN_MINUTES + 10_000);
});

it.each([
  ['JSON', json, REQUEST_MS],
  ['a form with files', form, UPLOAD_MS],
  ['a whole file', file, TEN_MINUTES + 10_000],
  ['a path that nobody serves', undefined, REQUEST_MS],
])('beside an endpoint that takes whole files, %s that does not come is cut off in its own time', (_, of, limit) => {
  expect(cutAfter([json, form, file], of)).toBe(limit);
});

it('what still comes after its answer is cut off soon', () => {
  expect(cutAfter([json, file], file, { answeredAt: 1_000 })).toBe(6_000);
});

it('what is all there is worked on and answered for as long as that takes', () => {
  expect(cutAfter([json, file], json, { complete: true })).toBeUndefined();
});

it('without such an endpoint, or without a body, nothing of it is watched', () => {
  expect([cutAfter([json, form], json), cutAfter([json, file], json, { headers: {} })]).toEqual([undefined, undefined]);
});
