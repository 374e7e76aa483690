import { commerceEnvelope } from '@platform/envelopes';
import { asFailure, NotFound, type Failure } from '@platform/errors';
import { area, dataOf, type Endpoint } from '@platform/http';
import { Choice, Int, Json, Money, Text } from '@platform/validation';
import type { IncomingHttpHeaders } from 'node:http';
import { rowEndpoint as endpoint } from '../../../endpoint';
import type { Notices } from './notices';

const statuses = ['SUCCESS', 'FAILED', 'EXPIRED'] as const;
const routes = ['notification', 'checkout-notification'] as const;

export class Simulation {
  @Text({ max: 64, trim: true }) invoice_number!: string;
  @Choice(statuses, { optional: true, description: '`SUCCESS` unless given' }) status?: (typeof statuses)[number];
  @Money({ optional: true, description: 'What was asked for unless given' }) amount?: number;
  @Text({ optional: true, max: 40, trim: true }) channel?: string;
  @Choice(routes, { optional: true, description: '`notification` unless given' }) route?: (typeof routes)[number];
}

export class Simulated {
  @Int() http_status!: number;
  @Json() answer!: object;
}

/** What provider A would send, signed with our own secret. */
export interface SignedNotice {
  readonly headers: IncomingHttpHeaders;
  readonly raw: Buffer;
}

export interface Simulator {
  sign(path: string, simulation: Required<Omit<Simulation, 'route'>>): SignedNotice;
  /** What was asked for under a number; undefined: nothing. */
  amountOf(invoiceNumber: string): Promise<number | undefined>;
}

const simulationRefusals = {
  away: (): Failure => new NotFound('There is nothing to simulate with'),
} as const;

/** Never with real money: undefined in production, where the route is there and says that it is not. */
export const simulateEndpoints = (notices: Notices, simulator: Simulator | undefined): Endpoint[] =>
  area({ prefix: '/api/pay_a/sandbox', tag: 'Payments' }, [
    endpoint({
      post: '/simulate-webhook',
      summary: 'Send signed fake notification to self',
      guard: 'devOnly',
      rate: { requests: 60, perSeconds: 60, by: 'address' },
      body: Simulation,
      reply: dataOf(Simulated),
      refuses: [simulationRefusals.away],
      handle: async ({ body, address }) => {
        if (!simulator) throw simulationRefusals.away();
        const { invoice_number, status = 'SUCCESS', channel = 'VIRTUAL_ACCOUNT_BCA', route = 'notification' } = body;
        const amount = body.amount ?? (await simulator.amountOf(invoice_number)) ?? 0;
        const path = `/api/pay_a/${route}`;
        const { headers, raw } = simulator.sign(path, { invoice_number, status, amount, channel });
        return notices.receive({ code: 'a', path, headers, raw, address }).then(
          () => ({ http_status: 200, answer: { status: 'success', message: 'OK', data: null } }),
          (thrown: unknown) => {
            const { status: http_status, body: answer } = commerceEnvelope({ production: true }).failure(
              asFailure(thrown),
            );
            return { http_status, answer: answer as object };
          },
        );
      },
    }),
  ]);
