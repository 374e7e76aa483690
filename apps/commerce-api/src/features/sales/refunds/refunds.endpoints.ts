import type { SecretBox } from '@platform/auth';
import { area, dataOf, type Endpoint } from '@platform/http';
import type { AreaParts } from '../../../area';
import { byOf } from '../../../by';
import { rowEndpoint as endpoint } from '../../../endpoint';
import { refusals } from '../../../refusals';
import { ledgerRefusals } from '../../ledger/postings/public';
import { stockRefusals } from '../../stock/levels/public';
import { requestRefund } from './refund';
import { refundRefusals } from './refund.rules';
import { Refund, RefundInput } from './refunds.dto';

export const refundsEndpoints = (
  { clock }: Pick<AreaParts, 'clock'>,
  { box }: { readonly box: SecretBox },
): Endpoint[] =>
  area({ prefix: '/api/order', tag: 'E-commerce' }, [
    endpoint({
      post: '/{id}/refund',
      summary: 'Refund fully or partly',
      description:
        'Of lines, their part of the total, once the order was paid in full; the last of them give shipping and fee back too. A refund counts when it has succeeded. A payout needs `wallet.withdraw`, too, and no API token.',
      guard: 'order.refund',
      status: 201,
      idempotency: 'required',
      body: RefundInput,
      reply: dataOf(Refund, 'Refund created'),
      refuses: [
        'notFound',
        refusals.tokenNotAllowed,
        refundRefusals.notSupported,
        refundRefusals.notPaid,
        refundRefusals.keyUsed,
        ledgerRefusals.insufficientBalance,
        stockRefusals.outOfStock,
        stockRefusals.belowReserved,
      ],
      handle: (input) => {
        const by = byOf(clock)(input);
        const key = String(input.headers['idempotency-key']);
        return input.once((tx) =>
          requestRefund(tx, { by, audit: by.audit, who: input.caller, box, key }, input.params.id, input.body),
        );
      },
    }),
  ]);
