import type { Database } from '@platform/data';
import { area, dataOf, done, listOf, type Endpoint } from '@platform/http';
import type { byOf } from '../../../by';
import { rowEndpoint as endpoint } from '../../../endpoint';
import { TransferAccount, TransferAccountBody } from './accounts.dto';
import { accountRefusals, accountsOf, addAccount, changeAccount, removeAccount } from './accounts.sql';

export const accountsEndpoints = (database: Database, by: ReturnType<typeof byOf>): Endpoint[] =>
  area({ prefix: '/api/payment/bank-transfer', tag: 'E-commerce' }, [
    endpoint({
      get: '',
      summary: 'Manual transfer accounts',
      guard: 'payment.read',
      reply: listOf(TransferAccount),
      refuses: [],
      handle: ({ caller }) => accountsOf(database, caller.storeId),
    }),
    endpoint({
      post: '',
      summary: 'Add manual transfer account',
      guard: 'payment.settings',
      status: 201,
      body: TransferAccountBody,
      reply: dataOf(TransferAccount, 'Account created'),
      refuses: [accountRefusals.tooMany],
      handle: (input) => database.tx((tx) => addAccount(tx, by(input), input.body)),
    }),
    endpoint({
      put: '/{id}',
      summary: 'Update manual transfer account',
      guard: 'payment.settings',
      body: TransferAccountBody,
      reply: dataOf(TransferAccount, 'Account updated'),
      refuses: ['notFound', accountRefusals.last],
      handle: (input) => database.tx((tx) => changeAccount(tx, by(input), input.params.id, input.body)),
    }),
    endpoint({
      delete: '/{id}',
      summary: 'Remove manual transfer account',
      guard: 'payment.settings',
      reply: done('Account deleted'),
      refuses: ['notFound', accountRefusals.last],
      handle: (input) => database.tx((tx) => removeAccount(tx, by(input), input.params.id)),
    }),
  ]);
