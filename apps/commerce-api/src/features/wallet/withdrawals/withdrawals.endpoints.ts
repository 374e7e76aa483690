import type { Database } from '@platform/data';
import { area, dataOf, pageOf, type Endpoint } from '@platform/http';
import type { byOf } from '../../../by';
import { rowEndpoint as endpoint } from '../../../endpoint';
import { invalidTransition } from '../../../machine';
import { ledgerRefusals } from '../../ledger/postings/public';
import { pinRefusals, type ProvenPin } from '../pin/public';
import { NewWithdrawal, Withdrawal, WithdrawalInquiry, WithdrawalsQuery, WithdrawalWish } from './withdrawals.dto';
import { withdrawalRefusals } from './withdrawal.rules';
import type { WithdrawalsService } from './withdrawals.service';
import { shownWithdrawal, withdrawalById, withdrawalListing } from './withdrawals.sql';

interface Parts {
  readonly database: Database;
  readonly withdrawals: WithdrawalsService;
  readonly by: ReturnType<typeof byOf>;
}

const reads = ({ database }: Parts): Endpoint[] => [
  endpoint({
    get: '',
    summary: 'List withdrawals',
    guard: 'person:wallet.read',
    query: WithdrawalsQuery,
    reply: pageOf(Withdrawal),
    refuses: [],
    handle: ({ caller, query }) => withdrawalListing.page(database, caller.storeId, query),
  }),
  endpoint({
    get: '/{id}',
    summary: 'Withdrawal status',
    guard: 'person:wallet.read',
    reply: dataOf(Withdrawal),
    refuses: ['notFound'],
    handle: async ({ caller, params }) => shownWithdrawal(await withdrawalById(database, caller.storeId, params.id)),
  }),
];

const writes = ({ withdrawals, by }: Parts): Endpoint[] => [
  endpoint({
    post: '/inquiry',
    summary: 'Fee and account holder check',
    guard: 'wallet.withdraw',
    body: WithdrawalWish,
    reply: dataOf(WithdrawalInquiry),
    refuses: ['notFound'],
    handle: (input) => withdrawals.inquire(by(input), input.body),
  }),
  endpoint({
    post: '',
    summary: 'Request withdrawal with PIN',
    description:
      'The money is locked at once. Up to a sum a day it is paid out without more ado, beyond that when somebody has approved it.',
    guard: 'wallet.withdraw',
    status: 201,
    idempotency: 'required',
    secretFields: ['pin'],
    body: NewWithdrawal,
    reply: dataOf(Withdrawal, 'Withdrawal created'),
    refuses: [
      ...(['notFound', 'tooMany', ledgerRefusals.insufficientBalance, pinRefusals.notSet, pinRefusals.locked] as const),
      ...[withdrawalRefusals.kycRequired, withdrawalRefusals.accountTooNew, withdrawalRefusals.hold],
      withdrawalRefusals.keyUsed,
    ],
    handle: async (input) => {
      const { once, body } = input;
      const [who, key] = [by(input), String(input.headers['idempotency-key'])];
      let proven: ProvenPin | undefined;
      const prove = async () => void (proven = await withdrawals.prove(who, key, body.pin));
      return once((tx) => withdrawals.request(tx, who, key, body, proven), prove);
    },
  }),
  endpoint({
    post: '/{id}/cancel',
    summary: 'Cancel a queued withdrawal',
    guard: 'wallet.withdraw',
    reply: dataOf(Withdrawal, 'Withdrawal updated'),
    refuses: ['notFound', invalidTransition],
    handle: (input) => withdrawals.cancel(by(input), input.params.id),
  }),
];

export const withdrawalsEndpoints = (parts: Parts): Endpoint[] =>
  area({ prefix: '/api/wallet/withdraw', tag: 'Wallet and payment' }, [...reads(parts), ...writes(parts)]);
