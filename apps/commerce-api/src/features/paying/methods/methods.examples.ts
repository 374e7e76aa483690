import { succeeds } from '../../../examples';

const cod = {
  ...{ code: 'cod', kind: 'cod', provider: 'cod', enabled: true, configured: true, mode: 'direct' },
  ...{ fee_bearer: 'merchant', fee: { percent_bp: 0, fixed: 0 }, min: null, max: null, channels: [] },
};
const cash = { ...cod, code: 'cash', kind: 'cash', provider: 'cash' };
const change = { fee_bearer: 'buyer', fee: { percent_bp: 100, fixed: 2000 }, max: 5_000_000 };

export const methodExamples = {
  list: succeeds('two of them', [cash, cod]),
  change: succeeds(
    'the buyer pays for cash on delivery',
    { ...cod, ...change },
    {
      message: 'Payment method updated',
      request: change,
    },
  ),
} as const;
