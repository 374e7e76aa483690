import { succeeds } from '../../../examples';

const body = { bank_code: 'BCA', number: '5210001234', holder: 'Sari Nusa', active: true };
const account = { id: '0199f7a0-0000-7000-8000-000000000501', ...body, bank: 'BCA' };

export const accountExamples = {
  list: succeeds('all of a store', [account]),
  add: succeeds('the first', account, { status: 201, message: 'Account created', request: body }),
  change: succeeds('with another holder', account, { message: 'Account updated', request: body }),
  remove: succeeds('one of two', null, { message: 'Account deleted' }),
} as const;
