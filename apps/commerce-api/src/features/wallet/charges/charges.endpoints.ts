import type { Database } from '@platform/data';
import { area, dataOf, type Endpoint } from '@platform/http';
import type { byOf } from '../../../by';
import { rowEndpoint as endpoint } from '../../../endpoint';
import { ledgerRefusals } from '../../ledger/postings/public';
import { Charge, ChargeReversal, MadeCharge, NewCharge } from './charges.dto';
import { chargeRefusals, type ChargesService } from './charges.service';

interface Parts {
  readonly database: Database;
  readonly charges: ChargesService;
  readonly by: ReturnType<typeof byOf>;
}

export const chargesEndpoints = ({ database, charges, by }: Parts): Endpoint[] =>
  area({ prefix: '/api/wallet/charge', tag: 'Wallet and payment' }, [
    endpoint({
      post: '',
      summary: 'Service debits wallet for ads top-up',
      description: "For the client application of ads-api, with the store in `X-Store-Id`; no store's own token may.",
      guard: 'wallet.charge',
      status: 201,
      idempotency: 'required',
      body: NewCharge,
      reply: dataOf(MadeCharge, 'Charge created'),
      refuses: [
        ...(['notFound', ledgerRefusals.insufficientBalance, chargeRefusals.keyUsed] as const),
        ...[chargeRefusals.reversed, chargeRefusals.noKey],
      ],
      handle: (input) => {
        const { once, body } = input;
        const key = String(input.headers['idempotency-key']);
        return once((tx) => charges.charge(tx, by(input), body, key));
      },
    }),
    endpoint({
      post: '/{id}/reverse',
      summary: 'Service reverses a failed charge',
      description: 'When ads-api has refused the credit for good: whether it was spent there is not known here.',
      guard: 'wallet.charge',
      body: ChargeReversal,
      reply: dataOf(Charge, 'Charge updated'),
      refuses: ['notFound', ledgerRefusals.insufficientBalance],
      handle: (input) => database.tx((tx) => charges.reverse(tx, by(input), input.params.id, input.body)),
    }),
  ]);
