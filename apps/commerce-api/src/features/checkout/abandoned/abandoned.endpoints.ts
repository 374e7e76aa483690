import type { Database } from '@platform/data';
import { area, done, pageOf, uuid, type Endpoint } from '@platform/http';
import type { byOf } from '../../../by';
import { rowEndpoint as endpoint } from '../../../endpoint';
import { refusals } from '../../../refusals';
import { seenBy } from '../../sales/sight/public';
import { AbandonedCart, AbandonedQuery } from './abandoned.dto';
import { abandonedListing } from './abandoned.sql';
import { reminderRefusals, type Reminders } from './reminders';

export interface AbandonedParts {
  readonly database: Database;
  readonly by: ReturnType<typeof byOf>;
  readonly reminders: Reminders;
}

/** Messages to people: also by carts that were made for it. */
const RATE = { requests: 60, perSeconds: 60, by: 'caller' } as const;

export const abandonedEndpoints = ({ database, by, reminders }: AbandonedParts): Endpoint[] =>
  area({ prefix: '/api/checkout/abandoned', tag: 'E-commerce' }, [
    endpoint({
      get: '',
      summary: 'Carts left before payment',
      // Numbers of people, which not every member needs
      guard: 'checkout.write',
      query: AbandonedQuery,
      reply: pageOf(AbandonedCart),
      refuses: [],
      handle: ({ caller, query }) => abandonedListing.page(database, caller.storeId, seenBy(caller, query)),
    }),
    endpoint({
      post: '/{token}/remind',
      summary: 'Send cart reminder by WhatsApp',
      description: '`token` is the `id` of the list: the token of the cart itself is with its buyer alone.',
      guard: 'checkout.write',
      status: 202,
      params: { token: uuid },
      rate: RATE,
      reply: done('Reminder queued'),
      refuses: ['notFound', refusals.planEnded, ...Object.values(reminderRefusals)],
      handle: (input) => database.tx((tx) => reminders.ask(tx, by(input), input.params.token)),
    }),
  ]);
