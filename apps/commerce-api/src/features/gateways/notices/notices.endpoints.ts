import { area, done, type Endpoint } from '@platform/http';
import { endpoint } from '../../../endpoint';
import type { GatewayCode } from '../port';
import { noticeRefusals, type Notices } from './notices';

const LIMIT = 1024 * 1024;
/** Providers send all their notices from a few addresses, in bursts: who is no provider is bounded by the signature (ADR 105). */
const BURST = { requests: 30_000, perSeconds: 60, by: 'address' } as const;

const ROUTES: readonly (readonly [path: string, code: GatewayCode, summary: string])[] = [
  ['/pay_a/notification', 'a', 'Provider A marks order paid'],
  ['/pay_a/checkout-notification', 'a', 'Marks order paid, notifies bot engine'],
  ['/pay_b/webhook', 'b', 'Provider B sets invoice paid'],
  ['/pay_c/callback', 'c', 'Provider C payment result'],
];

/** Where providers tell what became of payments. Their bodies are theirs: of any type, and read only when they are verified. */
export const noticesEndpoints = (notices: Notices): Endpoint[] =>
  area(
    { prefix: '/api', tag: 'Payments' },
    ROUTES.map(([path, code, summary]) =>
      endpoint({
        post: path,
        summary,
        guard: 'notice',
        rate: BURST,
        accepts: ['any'],
        rawBody: true,
        bodyLimit: LIMIT,
        reply: done('OK'),
        refuses: [noticeRefusals.signature, noticeRefusals.unknown, 'malformed', 'tooMany'],
        handle: ({ headers, rawBody: raw, address }) =>
          notices.receive({ code, path: `/api${path}`, headers, raw, address }),
      }),
    ),
  );
