import { random, type Random } from '@platform/testing';
import { NOW, newStore, useCommerce } from '../../../commerce.fixture';
import {
  auditLedger,
  balancesOf,
  post,
  postTold,
  reverse,
  type Entry,
  type LedgerAccount,
  type Posting,
} from './public';

const commerce = useCommerce();
const byOf = (storeId: string) => ({ storeId, actor: 'u1', at: new Date(NOW) });

const moved = (from: LedgerAccount, to: LedgerAccount, amount: number): readonly Entry[] => [
  { account: from, side: 'D', amount },
  { account: to, side: 'C', amount },
];
/** Money that comes into the wallet. */
const income = (key: string, amount: number): Posting => ({
  ...{ key, kind: 'topup', ref: key, currency: 'IDR' },
  entries: moved('gateway_clearing', 'wallet_available', amount),
});
const charge = (key: string, amount: number): Posting => ({
  ...{ key, kind: 'charge', ref: key, currency: 'IDR' },
  entries: moved('wallet_available', 'ads_funds', amount),
});
const posting = (storeId: string, each: Posting): Promise<boolean> =>
  commerce.database.tx((tx) => post(tx, byOf(storeId), each));
const balances = async (storeId: string): Promise<Partial<Record<LedgerAccount, number>>> => {
  const all = await balancesOf(commerce.database, storeId, 'IDR');
  return Object.fromEntries(Object.entries(all).filter(([, balance]) => balance !== 0));
};
const entriesOf = (storeId: string) =>
  commerce.database.query(
    'SELECT account, side, amount::int, balance_after::int FROM ledger_entry WHERE store_id = $1 ORDER BY seq',
    [storeId],
  );

it('a posting moves the balances of its accounts, and says what they were after it', async () => {
  const storeId = await newStore(commerce);
  expect(await posting(storeId, income('t1', 500))).toBe(true);
  expect(await posting(storeId, charge('c1', 200))).toBe(true);
  expect(await balances(storeId)).toEqual({ gateway_clearing: 500, wallet_available: 300, ads_funds: 200 });
  const told = () => commerce.database.tx((tx) => postTold(tx, byOf(storeId), charge('c2', 50)));
  expect(await told()).toEqual({ wallet_available: 250, ads_funds: 250 });
  expect(await told()).toMatchObject({ gateway_clearing: 500, wallet_available: 250, ads_funds: 250 });
  expect(await entriesOf(storeId)).toEqual(
    expect.arrayContaining([
      { account: 'gateway_clearing', side: 'D', amount: 500, balance_after: 500 },
      { account: 'wallet_available', side: 'C', amount: 500, balance_after: 500 },
      { account: 'wallet_available', side: 'D', amount: 200, balance_after: 300 },
      { account: 'ads_funds', side: 'C', amount: 200, balance_after: 200 },
    ]),
  );
});

it('a key posts once, also when it comes twenty times at once', async () => {
  const storeId = await newStore(commerce);
  const posted = await Promise.all(Array.from({ length: 20 }, () => posting(storeId, income('t1', 500))));
  expect(posted.filter(Boolean)).toEqual([true]);
  expect(await balances(storeId)).toEqual({ gateway_clearing: 500, wallet_available: 500 });
});

it('the same key of another store is another posting', async () => {
  const [one, two] = [await newStore(commerce), await newStore(commerce)];
  expect([await posting(one, income('t1', 5)), await posting(two, income('t1', 7))]).toEqual([true, true]);
  expect([await balances(one), await balances(two)]).toEqual([
    { gateway_clearing: 5, wallet_available: 5 },
    { gateway_clearing: 7, wallet_available: 7 },
  ]);
});

it.each([
  ['that was never opened', 0],
  ['that has too little', 99],
])('a wallet %s gives nothing, and nothing is written', async (_which, has) => {
  const storeId = await newStore(commerce);
  if (has > 0) await posting(storeId, income('t1', has));
  await expect(posting(storeId, charge('c1', 100))).rejects.toMatchObject({ code: 'insufficient_balance' });
  expect(await balances(storeId)).toEqual(has > 0 ? { gateway_clearing: has, wallet_available: has } : {});
});

it('of ten at once that take 50,000 of 148,500 two get it', async () => {
  const storeId = await newStore(commerce);
  await posting(storeId, income('t1', 148_500));
  const tries = await Promise.allSettled(
    Array.from({ length: 10 }, (_, index) => posting(storeId, charge(`c${index}`, 50_000))),
  );
  expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
  expect(await balances(storeId)).toMatchObject({ wallet_available: 48_500, ads_funds: 100_000 });
});

it('a reversal is the exact opposite, once', async () => {
  const storeId = await newStore(commerce);
  await posting(storeId, income('t1', 500));
  await posting(storeId, charge('c1', 200));
  const undo = () =>
    commerce.database.tx((tx) => reverse(tx, byOf(storeId), { key: 'r1', original: 'c1', kind: 'charge_reversed' }));
  expect((await Promise.all([undo(), undo(), undo()])).filter(Boolean)).toEqual([true]);
  expect(await balances(storeId)).toEqual({ gateway_clearing: 500, wallet_available: 500 });
});

it('nothing that was never posted is reversed', async () => {
  const storeId = await newStore(commerce);
  const none = commerce.database.tx((tx) =>
    reverse(tx, byOf(storeId), { key: 'r1', original: 'c1', kind: 'charge_reversed' }),
  );
  await expect(none).rejects.toMatchObject({ kind: 'notFound' });
});

it('the database refuses what does not balance, when the transaction commits', async () => {
  const storeId = await newStore(commerce);
  const lame = { ...income('t1', 500), entries: income('t1', 500).entries.slice(0, 1) };
  await expect(posting(storeId, lame)).rejects.toThrow(/does not balance/);
  expect(await entriesOf(storeId)).toEqual([]);
});

it.each([
  ['UPDATE', 'UPDATE ledger_entry SET amount = 1 WHERE store_id = $1'],
  ['UPDATE', 'UPDATE ledger_txn SET ref = $1 WHERE store_id = $1'],
  ['DELETE', 'DELETE FROM ledger_entry WHERE store_id = $1'],
  ['DELETE', 'DELETE FROM ledger_txn WHERE store_id = $1'],
])('the database refuses an %s: %s', async (_kind, statement) => {
  const storeId = await newStore(commerce);
  await posting(storeId, income('t1', 500));
  await expect(commerce.database.query(statement, [storeId])).rejects.toThrow(/append-only/);
});

it('the database refuses to empty the ledger', async () => {
  await expect(commerce.database.query('TRUNCATE ledger_entry')).rejects.toThrow(/append-only/);
});

const WALLET = ['wallet_pending', 'wallet_available', 'wallet_locked', 'ads_funds', 'gateway_clearing'] as const;
/** A posting of two to four accounts that balances. */
const randomPosting = ({ below, pick }: Random, key: string): Posting => {
  const accounts = [...WALLET].sort(() => below(3) - 1).slice(0, 2 + below(3));
  const [first = 'gateway_clearing', ...others] = accounts;
  const amounts = others.map(() => 1 + below(1_000));
  const [one, other] = pick([['D', 'C'] as const, ['C', 'D'] as const]);
  const total = amounts.reduce((sum, amount) => sum + amount, 0);
  const entries = others.map((account, at): Entry => ({ account, side: other, amount: amounts[at] ?? 0 }));
  return {
    key,
    kind: 'topup',
    ref: key,
    currency: 'IDR',
    entries: [{ account: first, side: one, amount: total }, ...entries],
  };
};

it('after ten thousand random postings of sixteen at once, some of them repeated, every balance is the sum of its entries', async () => {
  const stores = await Promise.all(Array.from({ length: 3 }, () => newStore(commerce)));
  const counts = { posted: 0, repeated: 0, refused: 0 };
  const worker = async (seed: number): Promise<void> => {
    const dice = random(seed);
    for (let done = 0; done < 625; done += 1) {
      const key = `${seed}-${done}`;
      const each = randomPosting(dice, key);
      const storeId = dice.pick(stores);
      try {
        counts[(await posting(storeId, each)) ? 'posted' : 'repeated'] += 1;
        if (dice.chance(0.02)) counts[(await posting(storeId, each)) ? 'posted' : 'repeated'] += 1;
      } catch (error) {
        expect(error).toMatchObject({ code: 'insufficient_balance' });
        counts.refused += 1;
      }
    }
  };
  await Promise.all(Array.from({ length: 16 }, (_, seed) => worker(seed + 1)));
  expect(counts.posted).toBeGreaterThan(2_000);
  expect(counts.repeated).toBeGreaterThan(0);
  await expect(auditLedger(commerce.database)).resolves.toBeUndefined();
  const last = await commerce.database.query(
    `SELECT a.code FROM ledger_account a JOIN LATERAL (SELECT balance_after FROM ledger_entry e WHERE e.store_id = a.store_id
       AND e.account = a.code AND e.currency = a.currency ORDER BY seq DESC LIMIT 1) e ON true
     WHERE a.store_id = ANY($1) AND e.balance_after <> a.balance`,
    [stores],
  );
  expect(last).toEqual([]);
});
