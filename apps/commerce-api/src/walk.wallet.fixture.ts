import { until } from '@platform/testing';
import { fund, writerOf } from './features/wallet/wallet.fixture';
import { verifyBankAccount } from './features/wallet/public';
import type { Made, Story } from './walk.fixture';

const STORE = 'S1';
const DAY = 86_400_000;
const MINUTE = 60_000;
const PASSWORD = 'a good passphrase';
const BCA = { bank_code: 'BCA', number: '5210009876', holder: 'Sari Nusa' };

const pins = async ({ commerce, tell }: Story): Promise<void> => {
  await tell('POST /api/wallet/pin', { pin: '730194', password: PASSWORD });
  await tell('PUT /api/wallet/pin', { current_pin: '730194', pin: '604913' });
  const sent = commerce.mails.length;
  await tell('POST /api/wallet/pin/forgot');
  await until(async () => commerce.mails.length > sent);
  const code = /(\d{6})/.exec(commerce.mails.at(-1)?.subject ?? '')?.[1];
  await tell('POST /api/wallet/pin/reset', { code, pin: '730194' });
};

/** Where the money goes. Returns an account that can be used a day later. */
const accounts = async ({ commerce, tell, ask }: Story): Promise<string> => {
  const account = await tell('POST /api/wallet/bank-account', BCA);
  const at = commerce.clock.now();
  await commerce.database.tx((tx) => verifyBankAccount(tx, writerOf(STORE, at), account.id));
  const gopay = await ask('POST /api/wallet/bank-account', { ...BCA, bank_code: 'GOPAY', number: '081234567890' });
  await tell('PUT /api/wallet/bank-account/{id}/primary', undefined, account.id);
  await tell('DELETE /api/wallet/bank-account/{id}', undefined, gopay.id);
  await tell('GET /api/wallet/bank-account');
  await tell('GET /api/wallet/banks');
  return account.id;
};

/** The shop is paid, pays in, and takes out. */
export const keepWallet = async (story: Story): Promise<void> => {
  const { commerce, tell } = story;
  await commerce.database.query(`UPDATE store SET kyc_status = 'approved' WHERE store_id = $1`, [STORE]);
  await fund(commerce, STORE, 25_000_000);
  const topup = await tell('POST /api/wallet/topup', { amount: 500_000 });
  await tell('GET /api/wallet/topup/{id}', undefined, topup.id);
  await pins(story);
  const bank_account_id = await accounts(story);
  commerce.clock.advance(DAY + MINUTE);
  const wish = { amount: 12_000_000, bank_account_id };
  await tell('POST /api/wallet/withdraw/inquiry', wish);
  const { id } = await tell('POST /api/wallet/withdraw', { ...wish, pin: '730194' });
  await tell('GET /api/wallet/withdraw/{id}', undefined, id);
  await tell('GET /api/wallet/withdraw', { status: 'requested' });
  await tell('POST /api/wallet/withdraw/{id}/cancel', undefined, id);
  const charge = await tell<Made>('POST /api/wallet/charge', {
    ...{ amount: 150_000, purpose: 'ads_topup', application_id: '0199f7a0-0000-7000-8000-00000000ad50' },
    ...{ account_id: 'act_1234567890', description: 'Iklan Lebaran' },
  });
  await tell('POST /api/wallet/charge/{id}/reverse', { reason: 'The ad account is closed' }, charge.id);
  await tell('GET /api/wallet');
  await tell('GET /api/wallet/transactions', { bucket: 'available' });
};
