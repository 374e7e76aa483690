import { uuidv7 } from '@platform/runtime';
import { askDocumented, ownStore, type Answered, type OwnStore } from '../../asked.fixture';
import { OWNER_ID } from '../../clients/store-auth.fake';
import { bearer, type Commerce } from '../../commerce.fixture';
import { balancesOf, post, type LedgerAccount } from '../ledger/postings/public';
import { verifyBankAccount } from './accounts/accounts.service';
import type { BankAccount } from './accounts/accounts.dto';
import type { Withdrawal } from './withdrawals/withdrawals.dto';

const DAY_MS = 86_400_000;
export const PASSWORD = 'a good passphrase';
export const PIN = '730194';
export const ACCOUNT = { bank_code: 'BCA', number: '5210009876', holder: 'Sari Nusa' };

/** Who acts without a request. */
export const writerOf = (storeId: string, at: Date) => ({
  ...{ storeId, actor: OWNER_ID, at },
  audit: { tenantId: storeId, actor: { id: OWNER_ID, name: 'Sari', kind: 'user' as const }, at },
});

/** Money comes into a wallet. */
export const fund = (
  commerce: Commerce,
  storeId: string,
  amount: number,
  account: LedgerAccount = 'wallet_available',
) =>
  commerce.database.tx((tx) =>
    post(tx, writerOf(storeId, commerce.clock.now()), {
      ...{ key: `test:${uuidv7()}`, kind: 'topup', ref: 'test', currency: 'IDR' },
      entries: [
        { account: 'gateway_clearing', side: 'D', amount },
        { account, side: 'C', amount },
      ],
    }),
  );

/** What its accounts hold, without those that hold nothing. */
export const heldBy = async (
  { database }: Commerce,
  storeId: string,
): Promise<Partial<Record<LedgerAccount, number>>> => {
  const all = await balancesOf(database, storeId, 'IDR');
  return Object.fromEntries(Object.entries(all).filter(([, balance]) => balance !== 0));
};

/** Whose password the PIN needs. */
export const knowOwner = ({ storeAuth }: Commerce): void =>
  void storeAuth.users.set('owner@toko-nusa.example', { id: OWNER_ID, password: PASSWORD });

export interface WalletShop extends OwnStore {
  /** That money can be sent to. */
  readonly account: string;
  /** `Idempotency-Key` of its own unless given. */
  readonly withdraw: (body?: object, key?: string, url?: string) => Promise<Answered<Withdrawal>>;
}

/** A store that may withdraw: identity checked, a PIN, an account that was verified a day ago, and so much money. */
export const walletShop = async (commerce: Commerce, money: number): Promise<WalletShop> =>
  withWallet(commerce, await ownStore(commerce), money);

/** The same of a store that is there. */
export const withWallet = async (commerce: Commerce, store: OwnStore, money: number): Promise<WalletShop> => {
  const { storeId, ask } = store;
  knowOwner(commerce);
  await commerce.database.query(`UPDATE store SET kyc_status = 'approved' WHERE store_id = $1`, [storeId]);
  await ask('POST', '/wallet/pin', { pin: PIN, password: PASSWORD });
  const { body } = await ask<BankAccount>('POST', '/wallet/bank-account', ACCOUNT);
  const account = body.data.id;
  const yesterday = new Date(commerce.clock.now().getTime() - DAY_MS);
  await commerce.database.tx((tx) => verifyBankAccount(tx, writerOf(storeId, yesterday), account));
  if (money > 0) await fund(commerce, storeId, money);
  const withdraw: WalletShop['withdraw'] = (more = {}, key = uuidv7(), url = commerce.url) =>
    askDocumented<Withdrawal>(commerce, url, '/wallet/withdraw', {
      method: 'POST',
      headers: bearer(commerce.storeAuth.userToken({ store_id: storeId }), { 'idempotency-key': key }),
      body: { amount: 50_000, bank_account_id: account, pin: PIN, ...more },
    });
  return { ...store, account, withdraw };
};
