import { area, dataOf, done, listOf, type Endpoint } from '@platform/http';
import type { byOf } from '../../../by';
import { rowEndpoint as endpoint } from '../../../endpoint';
import { BankAccount, NewBankAccount, PayoutBank } from './accounts.dto';
import { accountRefusals, type AccountsService } from './accounts.service';
import { payoutBanks } from './payout-banks';

export const accountsEndpoints = (accounts: AccountsService, by: ReturnType<typeof byOf>): Endpoint[] =>
  area({ prefix: '/api/wallet', tag: 'Wallet and payment' }, [
    endpoint({
      get: '/banks',
      summary: 'Supported banks and e-wallets',
      guard: 'wallet.read',
      reply: listOf(PayoutBank),
      refuses: [],
      handle: () => payoutBanks,
    }),
    endpoint({
      get: '/bank-account',
      summary: 'My payout accounts',
      guard: 'person:wallet.read',
      reply: listOf(BankAccount),
      refuses: [],
      handle: ({ caller }) => accounts.list(caller.storeId),
    }),
    endpoint({
      post: '/bank-account',
      summary: 'Add payout account',
      description: 'It is verified when its holder is who the identity check names, and can be used a day after.',
      guard: 'wallet.withdraw',
      status: 201,
      body: NewBankAccount,
      reply: dataOf(BankAccount, 'Account created'),
      refuses: [accountRefusals.tooMany],
      handle: (input) => accounts.add(by(input), input.body),
    }),
    endpoint({
      put: '/bank-account/{id}/primary',
      summary: 'Make account the primary',
      guard: 'wallet.withdraw',
      reply: dataOf(BankAccount, 'Account updated'),
      refuses: ['notFound'],
      handle: (input) => accounts.makePrimary(by(input), input.params.id),
    }),
    endpoint({
      delete: '/bank-account/{id}',
      summary: 'Remove payout account',
      guard: 'wallet.withdraw',
      reply: done('Account deleted'),
      refuses: ['notFound', accountRefusals.inUse],
      handle: (input) => accounts.remove(by(input), input.params.id),
    }),
  ]);
