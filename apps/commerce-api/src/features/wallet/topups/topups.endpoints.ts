import type { Database } from '@platform/data';
import { area, dataOf, type Endpoint } from '@platform/http';
import { uuidv7 } from '@platform/runtime';
import { Text } from '@platform/validation';
import type { byOf } from '../../../by';
import { rowEndpoint as endpoint } from '../../../endpoint';
import { topupRefusals } from './topup.rules';
import { NewTopup, Topup } from './topups.dto';
import { topupById, type TopupsService } from './topups.service';

class TopupKey {
  @Text({
    ...{ optional: true, description: 'Under one key there is one top-up, for ever' },
    ...{ pattern: /^[\x21-\x7e]{1,255}$/, mismatch: { tag: 'format', text: 'must be 1 to 255 printable characters' } },
  })
  'idempotency-key'?: string;
}

interface Parts {
  readonly database: Database;
  readonly topups: TopupsService;
  readonly by: ReturnType<typeof byOf>;
}

export const topupsEndpoints = ({ database, topups, by }: Parts): Endpoint[] =>
  area({ prefix: '/api/wallet/topup', tag: 'Wallet and payment' }, [
    endpoint({
      post: '',
      summary: 'Create top-up payment',
      description:
        'At provider B. Where it does not answer in time `url` is null: the top-up stands, and shows it later. The money is in the wallet as soon as the provider says that it came.',
      guard: 'wallet.topup',
      status: 201,
      headers: TopupKey,
      body: NewTopup,
      reply: dataOf(Topup, 'Top-up created'),
      refuses: [topupRefusals.keyUsed, topupRefusals.noProvider],
      handle: async (input) => {
        const { 'idempotency-key': key = uuidv7() } = input.headers;
        const who = by(input);
        // Not within a transaction: the answer has the address that the provider gives after the commit
        const topup = await database.tx((tx) => topups.open(tx, who, input.body, key));
        return topups.asked(who.storeId, topup);
      },
    }),
    endpoint({
      get: '/{id}',
      summary: 'Top-up status',
      guard: 'wallet.read',
      reply: dataOf(Topup),
      refuses: ['notFound'],
      handle: ({ caller, params }) => topupById(database, caller.storeId, params.id),
    }),
  ]);
