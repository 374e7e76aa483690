import { uuidv7 } from '@platform/runtime';
import { expectNoSeqScan, explain } from '@platform/testing';
import { auditedIn, invalid, notHere, ownStore, refused, succeeded } from '../../../asked.fixture';
import { bearer, newMember, NOW, startCommerce, useCommerce } from '../../../commerce.fixture';
import { startSecondProcess } from '../../../second-process.fixture';
import { auditLedger } from '../../ledger/postings/public';
import { fund, heldBy, knowOwner, PIN, walletShop, writerOf, type WalletShop } from '../wallet.fixture';
import type { Withdrawal, WithdrawalInquiry } from './withdrawals.dto';
import { WithdrawalsService } from './withdrawals.service';
import { DUE } from './payouts';
import { settlePayout, type PayoutNotice } from './settle-payout';

const commerce = useCommerce();
beforeAll(() => knowOwner(commerce));
const DAY_MS = 86_400_000;
const FEE = 2_500;
const ID = expect.any(String) as string;
const view = (more: object = {}) => ({
  ...{
    id: ID,
    amount: 50_000,
    fee: FEE,
    received: 50_000,
    account: { bank: 'BCA', last4: '9876', holder: 'Sari Nusa' },
  },
  ...{ status: 'approved', failure: null, created_at: NOW, paid_at: null, ...more },
});
const INSUFFICIENT = refused(409, 'insufficient_balance', 'There is not enough money in the wallet');
const statusOf = async ({ ask }: WalletShop, id: string): Promise<string> => {
  const { status } = (await ask<Withdrawal>('GET', `/wallet/withdraw/${id}`)).body.data;
  // A runner may have taken it already
  return status === 'processing' ? 'approved' : status;
};
const tell = (notice: Partial<PayoutNotice> & { readonly referenceId: string }) =>
  commerce.database.tx((tx) => settlePayout(tx, commerce.clock.now(), { ref: 'po-1', state: 'succeeded', ...notice }));
const operators = () => new WithdrawalsService({ queue: { enqueue: async () => '1' } } as never);

describe('a withdrawal', () => {
  it('locks its money and is approved up to the limit of the day, and the log tells of it', async () => {
    const shop = await walletShop(commerce, 148_500);
    expect(await shop.withdraw()).toEqual(succeeded(201, 'Withdrawal created', view()));
    expect(await heldBy(commerce, shop.storeId)).toEqual({
      ...{ gateway_clearing: 148_500, wallet_available: 96_000, wallet_locked: 52_500 },
    });
    const { data } = (await shop.ask<Withdrawal[]>('GET', '/wallet/withdraw')).body;
    expect(data).toEqual([view({ status: expect.stringMatching(/approved|processing/) as string })]);
    expect((await auditedIn(commerce, shop.storeId)).at(-1)).toBe(
      'wallet.withdraw withdrawal: account, amount, created_at, failure, fee, id, paid_at, received, status',
    );
  });

  it('is shown with its fee and what stands against it before it is requested', async () => {
    const shop = await walletShop(commerce, 148_500);
    const inquire = async (amount: number) =>
      (await shop.ask<WithdrawalInquiry>('POST', '/wallet/withdraw/inquiry', { amount, bank_account_id: shop.account }))
        .body.data;
    const terms = { fee: FEE, bank: 'BCA', holder: 'Sari Nusa' };
    expect(await inquire(146_000)).toEqual({
      amount: 146_000,
      received: 146_000,
      ...terms,
      allowed: true,
      reasons: [],
    });
    const reasons = ['insufficient_balance'];
    expect(await inquire(146_001)).toEqual({ amount: 146_001, received: 146_001, ...terms, allowed: false, reasons });
  });

  it('that a store may not make yet names every reason', async () => {
    const { ask, storeId } = await ownStore(commerce);
    const account = { bank_code: 'OVO', number: '081234567890', holder: 'Sari' };
    const { id } = (await ask<{ id: string }>('POST', '/wallet/bank-account', account)).body.data;
    const wish = { amount: 20_000_001, bank_account_id: id };
    const { data } = (await ask<WithdrawalInquiry>('POST', '/wallet/withdraw/inquiry', wish)).body;
    expect(data.reasons).toEqual([
      'kyc_required',
      'pin_not_set',
      'account_unverified',
      'amount_too_large',
      'insufficient_balance',
    ]);
    expect(storeId).toBeDefined();
  });

  it('needs an approved identity check, and an account that was verified a day ago', async () => {
    const shop = await walletShop(commerce, 148_500);
    const fresh = { bank_code: 'BRI', number: '55555555', holder: 'Sari Nusa' };
    const { id } = (await shop.ask<{ id: string }>('POST', '/wallet/bank-account', fresh)).body.data;
    expect(await shop.withdraw({ bank_account_id: id })).toEqual(
      refused(409, 'account_too_new', 'The account must have been verified for 24 hours'),
    );
    await commerce.database.query(`UPDATE store SET kyc_status = 'rejected' WHERE store_id = $1`, [shop.storeId]);
    expect(await shop.withdraw()).toEqual(refused(403, 'kyc_required', 'The identity check must be approved first'));
  });

  it('of more than there is, fee and all, is refused, and nothing moves', async () => {
    const shop = await walletShop(commerce, 52_499);
    expect(await shop.withdraw()).toEqual(INSUFFICIENT);
    expect(await heldBy(commerce, shop.storeId)).toEqual({ gateway_clearing: 52_499, wallet_available: 52_499 });
    await fund(commerce, shop.storeId, 1);
    expect((await shop.withdraw()).status).toBe(201);
  });

  it.each([
    [{ amount: 9_999 }, invalid('amount', 'amount must be 10000 or greater')],
    [{ amount: '50000' }, invalid('amount', 'amount must be an integer')],
    [{ amount: [50_000] }, invalid('amount', 'amount must be an integer')],
    [{ amount: 500_000_001 }, invalid('amount', 'amount must be 500000000 or less for this account')],
    [{ pin: undefined }, invalid('pin', 'pin is a required field')],
    [{ fee: 0 }, invalid('fee', 'fee is not a known field')],
    [{ bank_account_id: uuidv7() }, notHere('bank_account_id', 'is not a payout account of this store')],
  ])('with %j is refused', async (wrong, answer) => {
    const shop = await walletShop(commerce, 148_500);
    expect(await shop.withdraw(wrong)).toEqual(answer);
  });

  it('to the account of another store is 404', async () => {
    const [mine, theirs] = [await walletShop(commerce, 148_500), await walletShop(commerce, 0)];
    expect(await mine.withdraw({ bank_account_id: theirs.account })).toEqual(
      notHere('bank_account_id', 'is not a payout account of this store'),
    );
    const { id } = (await mine.withdraw()).body.data;
    expect((await theirs.ask('GET', `/wallet/withdraw/${id}`)).status).toBe(404);
    expect((await theirs.ask('POST', `/wallet/withdraw/${id}/cancel`)).status).toBe(404);
  });

  it('needs a key, and a member who has the ability', async () => {
    const shop = await walletShop(commerce, 148_500);
    const body = { amount: 50_000, bank_account_id: shop.account, pin: PIN };
    expect((await shop.ask('POST', '/wallet/withdraw', body)).body.code).toBe('idempotency_key_required');
    const { token } = await newMember(commerce, shop.storeId, 'admin');
    expect((await commerce.call('POST', '/api/wallet/withdraw', token, body)).status).toBe(403);
    // A request without a key was no try
    expect((await shop.withdraw({ pin: '111119' })).body).toMatchObject({ attempts_left: 4 });
  });
});

describe('the key of a withdrawal', () => {
  it('is one try of its PIN however often it comes, and tries of other keys count', async () => {
    const shop = await walletShop(commerce, 148_500);
    const left = async (pin: string, key?: string) =>
      ((await shop.withdraw({ pin }, key)).body as { readonly attempts_left?: number }).attempts_left;
    expect([await left('111119', 'a'), await left('111119', 'a'), await left('111119', 'b')]).toEqual([4, 4, 3]);
    expect(new Set(await Promise.all(['111119', '111119'].map((pin) => left(pin))))).toEqual(new Set([2, 1]));
    expect((await shop.withdraw({}, 'b')).status).toBe(201);
  });

  it('whose PIN was the last wrong one says so again: it is locked, with the time to wait, and tried anew after that', async () => {
    const shop = await walletShop(commerce, 148_500);
    for (const key of ['a', 'b', 'c', 'd']) await shop.withdraw({ pin: '111119' }, key);
    const last = () => shop.withdraw({ pin: '111119' }, 'e');
    expect((await last()).body.code).not.toBe('pin_locked');
    expect((await last()).body).toMatchObject({ code: 'pin_locked' });
    commerce.clock.advance(24 * 3_600_000);
    expect((await last()).body.code).not.toBe('pin_locked');
  });

  it('makes one of twenty that come at once', async () => {
    const shop = await walletShop(commerce, 600_000);
    const answers = await Promise.all(Array.from({ length: 20 }, () => shop.withdraw({}, 'once')));
    const codes = answers.map(({ status, body }) => (status === 201 ? body.data.id : body.code));
    expect(new Set(codes.filter((code) => code !== 'idempotency_running')).size).toBe(1);
    expect((await heldBy(commerce, shop.storeId)).wallet_locked).toBe(52_500);
  });

  it('answers the same again, also after the PIN was changed and when keys are forgotten, and is no try', async () => {
    const shop = await walletShop(commerce, 600_000);
    const first = await shop.withdraw({}, 'again');
    expect(await shop.withdraw({}, 'again')).toEqual(first);
    expect(await shop.withdraw({ pin: '111119' }, 'again')).toEqual(first);
    await shop.ask('PUT', '/wallet/pin', { current_pin: PIN, pin: '604913' });
    await commerce.database.query('DELETE FROM idempotency_keys');
    const again = await shop.withdraw({}, 'again');
    expect([again.status, again.body.data.id]).toEqual([201, first.body.data.id]);
    await commerce.database.query('DELETE FROM idempotency_keys');
    expect((await shop.withdraw({ amount: 60_000 }, 'again')).body.code).toBe('idempotency_mismatch');
    expect((await heldBy(commerce, shop.storeId)).wallet_locked).toBe(52_500);
  });

  it('keeps nothing by which its PIN could be found', async () => {
    const shop = await walletShop(commerce, 600_000);
    const hashes = async () =>
      (
        await commerce.database.query<{ request_hash: string }>(
          'SELECT request_hash FROM idempotency_keys WHERE key = $1',
          ['kept'],
        )
      ).map(({ request_hash }) => request_hash);
    await shop.withdraw({}, 'kept');
    const [first] = await hashes();
    await commerce.database.query('DELETE FROM idempotency_keys');
    await shop.withdraw({ pin: '111119' }, 'kept');
    expect(await hashes()).toEqual([first]);
  });
});

it('of ten that are requested at once on 148,500 two are made, over two processes', async () => {
  // The same pepper, or the second would take the PIN for a wrong one
  const pepper = { WALLET_PIN_PEPPER: 'one for both' };
  const today = await startCommerce(pepper, new Date().toISOString());
  const second = await startSecondProcess(today, pepper);
  try {
    const shop = await walletShop(today, 148_500);
    const urls = Array.from({ length: 10 }, (_, nth) => (nth % 2 === 0 ? today.url : second.url));
    const answers = await Promise.all(urls.map((url) => shop.withdraw({}, undefined, url)));
    expect(answers.map(({ status, body }) => `${status} ${String(body.code)}`).sort()).toEqual([
      ...['201 undefined', '201 undefined'],
      ...Array.from({ length: 8 }, () => '409 insufficient_balance'),
    ]);
    expect(await heldBy(today, shop.storeId)).toEqual({
      ...{ gateway_clearing: 148_500, wallet_available: 43_500, wallet_locked: 105_000 },
    });
  } finally {
    await second.stop();
    await today.stop();
  }
});

describe('approval', () => {
  it('is needed beyond the limit of a day, and what is cancelled counts no more', async () => {
    const shop = await walletShop(commerce, 50_000_000);
    const states = async (amounts: readonly number[]) => {
      const made: (readonly [string, string])[] = [];
      for (const amount of amounts) {
        const { body } = await shop.withdraw({ amount });
        made.push([body.data.id, body.data.status]);
      }
      return made;
    };
    const [, [large, state] = ['', '']] = await states([6_000_000, 4_000_001]);
    expect([state, await statusOf(shop, large)]).toEqual(['requested', 'requested']);
    expect((await shop.ask('POST', `/wallet/withdraw/${large}/cancel`)).body).toMatchObject({
      data: { status: 'cancelled' },
    });
    expect((await states([4_000_000]))[0]?.[1]).toBe('approved');
    commerce.clock.advance(DAY_MS);
    expect((await states([10_000_000]))[0]?.[1]).toBe('approved');
    expect((await heldBy(commerce, shop.storeId)).wallet_locked).toBe(20_007_500);
  });

  it('or rejection is an operator’s, once', async () => {
    const shop = await walletShop(commerce, 50_000_000);
    const make = async () => (await shop.withdraw({ amount: 11_000_000 })).body.data.id;
    const [yes, no] = [await make(), await make()];
    const by = writerOf(shop.storeId, commerce.clock.now());
    await commerce.database.tx((tx) => operators().approve(tx, by, yes));
    await commerce.database.tx((tx) => operators().reject(tx, by, no, 'Ask us first'));
    expect([await statusOf(shop, yes), await statusOf(shop, no)]).toEqual(['approved', 'rejected']);
    expect((await shop.ask<Withdrawal>('GET', `/wallet/withdraw/${no}`)).body.data.failure).toBe('Ask us first');
    await expect(commerce.database.tx((tx) => operators().approve(tx, by, no))).rejects.toThrow('It is rejected');
    expect(await shop.ask('POST', `/wallet/withdraw/${no}/cancel`)).toEqual(
      refused(409, 'invalid_transition', 'It is rejected: that cannot be done with it now'),
    );
    expect(await heldBy(commerce, shop.storeId)).toEqual({
      ...{ gateway_clearing: 50_000_000, wallet_available: 38_997_500, wallet_locked: 11_002_500 },
    });
  });

  it('of one that is cancelled at the same moment: one of the two is done', async () => {
    const shop = await walletShop(commerce, 50_000_000);
    const { id } = (await shop.withdraw({ amount: 11_000_000 })).body.data;
    const by = writerOf(shop.storeId, commerce.clock.now());
    const [cancelled, approved] = await Promise.all([
      shop.ask('POST', `/wallet/withdraw/${id}/cancel`),
      commerce.database
        .tx((tx) => operators().approve(tx, by, id))
        .then(
          () => true,
          () => false,
        ),
    ]);
    expect([cancelled.status === 200, approved].filter(Boolean)).toHaveLength(1);
  });
});

describe('what the provider says of a payout', () => {
  const began = async () => {
    const shop = await walletShop(commerce, 100_000);
    const { id } = (await shop.withdraw()).body.data;
    return { shop, id, held: () => heldBy(commerce, shop.storeId) };
  };
  const LOCKED = { gateway_clearing: 100_000, wallet_available: 47_500, wallet_locked: 52_500 };
  const PAID = { gateway_clearing: 50_000, wallet_available: 47_500, fee_revenue: FEE };
  const BACK = { gateway_clearing: 100_000, wallet_available: 100_000 };

  it('that it was taken changes nothing, that it was paid is final, said twenty times at once too', async () => {
    const { shop, id, held } = await began();
    expect(await tell({ referenceId: id, state: 'accepted' })).toBe(true);
    expect(await held()).toEqual(LOCKED);
    await Promise.all(Array.from({ length: 20 }, () => tell({ referenceId: id })));
    expect(await held()).toEqual(PAID);
    const { data } = (await shop.ask<Withdrawal>('GET', `/wallet/withdraw/${id}`)).body;
    expect(data).toEqual(
      view({
        created_at: commerce.clock.now().toISOString(),
        status: 'paid',
        paid_at: commerce.clock.now().toISOString(),
      }),
    );
    // What comes late
    await tell({ referenceId: id, state: 'accepted' });
    expect([await statusOf(shop, id), await held()]).toEqual(['paid', PAID]);
  });

  it('that it has failed brings the money back, fee and all', async () => {
    const { shop, id, held } = await began();
    await tell({ referenceId: id, state: 'failed', failure: 'INVALID_DESTINATION' });
    await tell({ referenceId: id, state: 'failed', failure: 'INVALID_DESTINATION' });
    expect([await statusOf(shop, id), await held()]).toEqual(['failed', BACK]);
    expect((await shop.ask<Withdrawal>('GET', `/wallet/withdraw/${id}`)).body.data.failure).toBe('INVALID_DESTINATION');
  });

  it('that it was reversed after it was paid restores the balance exactly, once, in any order', async () => {
    const { shop, id, held } = await began();
    await tell({ referenceId: id });
    await Promise.all(Array.from({ length: 5 }, () => tell({ referenceId: id, state: 'reversed' })));
    await tell({ referenceId: id });
    expect([await statusOf(shop, id), await held()]).toEqual(['reversed', BACK]);
    const early = await began();
    await tell({ referenceId: early.id, state: 'reversed' });
    expect([await statusOf(early.shop, early.id), await early.held()]).toEqual(['failed', BACK]);
  });

  it('and contradicts itself is left for somebody to look at', async () => {
    const { shop, id, held } = await began();
    await tell({ referenceId: id, state: 'failed' });
    await tell({ referenceId: id, state: 'succeeded' });
    expect([await statusOf(shop, id), await held()]).toEqual(['failed', BACK]);
    const rows = await commerce.database.query('SELECT alert FROM withdrawal WHERE store_id = $1 AND id = $2', [
      shop.storeId,
      id,
    ]);
    expect(rows).toEqual([{ alert: 'The provider says succeeded, it is failed' }]);
    const { body } = await commerce.get('/metrics');
    expect(String(body)).toMatch(/commerce_withdrawals_overdue\{[^}]*\} [1-9]/);
  });

  it('of a payout that is none of ours is not for the wallet', async () => {
    expect(await tell({ referenceId: uuidv7() })).toBe(false);
    expect(await tell({ referenceId: 'disb-\u{1F600}' })).toBe(false);
  });
});

it('the ledger adds up after all of this', () => auditLedger(commerce.database));

it('no PIN, account number or password is in a log, an audit row or an answer', async () => {
  const shop = await walletShop(commerce, 148_500);
  const token = commerce.storeAuth.userToken({ store_id: shop.storeId });
  const answers = [
    await shop.withdraw(),
    await shop.withdraw({ pin: '839201' }),
    await shop.ask('GET', '/wallet/withdraw'),
    await shop.ask('GET', '/wallet/bank-account'),
    (await commerce.get('/api/wallet/withdraw', bearer(token))).body,
  ];
  const rows = await commerce.database.query('SELECT * FROM audit_log');
  const all = JSON.stringify([answers, rows, commerce.lines]);
  const found = [PIN, '839201', '5210009876', 'a good passphrase', token].filter((canary) => all.includes(canary));
  expect(found).toEqual([]);
});

it('what is due is found by index', async () =>
  expectNoSeqScan(await explain(commerce.database, DUE, [new Date(NOW)])));
