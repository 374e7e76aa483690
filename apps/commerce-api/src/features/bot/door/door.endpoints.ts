import type { Sql } from '@platform/data';
import { area, CustomBody, dataOf, Reply, type Endpoint } from '@platform/http';
import { InvalidInput } from '@platform/errors';
import { parse } from '@platform/validation';
import { rowEndpoint as endpoint } from '../../../endpoint';
import { refusals } from '../../../refusals';
import { sessionRefusals } from '../../checkout/sessions/public';
import { couponRefusals } from '../../sales/coupons/public';
import { orderRefusals } from '../../sales/orders/public';
import { stockRefusals } from '../../stock/levels/public';
import type { BotDoor } from './bot.door';
import { callRefusals } from './call.guard';
import { BotCheckout, BotOrder, BotOrderState } from './door.dto';
import { methodRefusals } from './method';
import { orderStateOf } from './order.state';

const BODY_LIMIT = 64 * 1024;
/** Read once the signature has been proved: until then nobody learns what would be wrong with it. */
const unread = new CustomBody<Readonly<Record<string, unknown>>>(BotCheckout, (fields) => fields);

const read = (fields: Readonly<Record<string, unknown>>): BotCheckout => {
  const { value, violations } = parse(BotCheckout, fields, { from: 'json', unknownKeys: 'refuse' });
  if (violations) throw new InvalidInput(violations);
  return value;
};

export const doorEndpoints = (door: BotDoor, sql: Sql): Endpoint[] =>
  area({ prefix: '/api/payment/engine-bot', tag: 'E-commerce' }, [
    endpoint({
      post: '/create-checkout',
      summary: 'Bot creates order and checkout',
      description:
        'The order of a buyer whom the bot talks to, in the channel `bot`. `dryRun` tells what it would cost and what it would be refused for, with 200. `data` of a refused destination has places that the store sends to.',
      guard: 'engine',
      status: 201,
      bodyLimit: BODY_LIMIT,
      rawBody: true,
      body: unread,
      tenantOf: ({ body }) => storeNamed(body),
      reply: dataOf(BotOrder, 'Order created'),
      refuses: [
        ...(['invalid', 'notFound', callRefusals.invalidSignature] as const),
        ...([refusals.storeSuspended, sessionRefusals.storeClosed, stockRefusals.outOfStock] as const),
        ...([couponRefusals.unavailable, orderRefusals.noWarehouse, orderRefusals.keyUsed] as const),
        orderRefusals.totalChanged,
        methodRefusals.none,
      ],
      handle: async ({ caller, rawBody, body: fields }) => {
        await caller.prove(rawBody);
        const body = read(fields);
        const order = await door.checkout(body);
        return body.dryRun ? new Reply(order, { status: 200 }) : order;
      },
    }),
    endpoint({
      get: '/check-status/{orderNumber}',
      summary: 'Bot reads payment status',
      guard: 'engine',
      reply: dataOf(BotOrderState),
      refuses: ['notFound'],
      handle: ({ params }) => orderStateOf(sql, params.orderNumber),
    }),
  ]);

/** Whose turn it is, before anybody knows whether the call is true: a forged one takes nobody's. */
const storeNamed = (body: unknown): string => {
  const { idStore } = body as Readonly<Record<string, unknown>>;
  return `bot ${typeof idStore === 'string' ? idStore : ''}`;
};
