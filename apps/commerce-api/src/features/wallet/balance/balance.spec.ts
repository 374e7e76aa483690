import { uuidv7 } from '@platform/runtime';
import { expectNoSeqScan, explain } from '@platform/testing';
import { invalid, ownStore, succeeded } from '../../../asked.fixture';
import { bearer, newMember, NOW, useCommerce } from '../../../commerce.fixture';
import { ledgerAccounts, post, type Entry } from '../../ledger/postings/public';
import { fund, knowOwner, walletShop } from '../wallet.fixture';
import type { LedgerLine, Wallet } from './balance.dto';
import { balancesAt, closeAt } from './closes';
import { lineListing } from './lines';

const commerce = useCommerce();
beforeAll(() => knowOwner(commerce));

const moved = (from: Entry['account'], to: Entry['account'], amount: number): readonly Entry[] => [
  { account: from, side: 'D', amount },
  { account: to, side: 'C', amount },
];
const postAt = (
  storeId: string,
  at: string,
  kind: 'order_paid' | 'settlement' | 'charge',
  entries: readonly Entry[],
  note = '',
) =>
  commerce.database.tx((tx) =>
    post(
      tx,
      { storeId, actor: 'test', at: new Date(at) },
      { key: uuidv7(), kind, ref: 'r', currency: 'IDR', entries, note },
    ),
  );

describe('the wallet of a store', () => {
  it('holds nothing at first', async () => {
    const { ask } = await ownStore(commerce);
    const empty = { available: 0, pending: 0, locked: 0, currency: 'IDR', pin_set: false, kyc_status: null };
    expect(await ask('GET', '/wallet')).toEqual(succeeded(200, 'OK', { ...empty, withdraw_hold_until: null }));
    expect(await ask('GET', '/wallet/transactions')).toEqual({
      status: 200,
      body: { status: 'success', message: 'OK', data: [], meta: { next_cursor: null } },
    });
  });

  it('shows what is available, pending and locked', async () => {
    const shop = await walletShop(commerce, 100_000);
    await fund(commerce, shop.storeId, 30_000, 'wallet_pending');
    await shop.withdraw();
    expect((await shop.ask<Wallet>('GET', '/wallet')).body.data).toEqual({
      ...{ available: 47_500, pending: 30_000, locked: 52_500, currency: 'IDR', pin_set: true, kyc_status: 'approved' },
      withdraw_hold_until: null,
    });
  });

  it('is shown to whoever may read it, and to nobody else', async () => {
    const { storeId } = await ownStore(commerce);
    const { token } = await newMember(commerce, storeId, 'cs');
    const paths = [
      '/wallet',
      '/wallet/transactions',
      '/wallet/statement?month=2026-03',
      '/wallet/banks',
      '/wallet/withdraw',
    ];
    const statuses = await Promise.all(
      paths.map(async (path) => (await commerce.get(`/api${path}`, bearer(token))).status),
    );
    expect(statuses).toEqual(paths.map(() => 403));
  });
});

describe('the lines of a wallet', () => {
  it('tell what moved each bucket and what it held then, the newest first, page by page', async () => {
    const { ask, storeId } = await ownStore(commerce);
    await postAt(storeId, NOW, 'order_paid', moved('gateway_clearing', 'wallet_pending', 500), 'INV-1');
    await postAt(storeId, NOW, 'settlement', moved('wallet_pending', 'wallet_available', 500));
    await postAt(storeId, NOW, 'charge', moved('wallet_available', 'ads_funds', 200));
    const line = (bucket: string, kind: string, amount: number, balance_after: number, note = '') => ({
      ...{ id: expect.stringMatching(/^\d+$/) as string, at: NOW, ref: 'r', bucket, kind, amount, balance_after, note },
    });
    const { data } = (await ask<LedgerLine[]>('GET', '/wallet/transactions')).body;
    expect(data).toEqual([
      line('available', 'charge', -200, 300),
      ...[data[1], data[2]].map((each) =>
        each?.bucket === 'pending' ? line('pending', 'settlement', -500, 0) : line('available', 'settlement', 500, 500),
      ),
      line('pending', 'order_paid', 500, 500, 'INV-1'),
    ]);
    const walked: LedgerLine[] = [];
    for (let cursor = ''; ;) {
      const { body } = await ask<LedgerLine[]>(
        'GET',
        `/wallet/transactions?limit=1${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
      );
      walked.push(...body.data);
      const next = (body.meta as { next_cursor: string | null }).next_cursor;
      if (next === null) break;
      cursor = next;
    }
    expect(walked).toEqual(data);
    const only = async (query: string) =>
      (await ask<LedgerLine[]>('GET', `/wallet/transactions?${query}`)).body.data.length;
    expect([await only('bucket=pending'), await only('kind=settlement'), await only('from=2026-03-02')]).toEqual([
      2, 2, 0,
    ]);
  });

  it('of one store are not those of another, nor is its cursor', async () => {
    const [mine, theirs] = [await ownStore(commerce), await ownStore(commerce)];
    for (const { storeId } of [mine, theirs]) for (let nth = 0; nth < 3; nth += 1) await fund(commerce, storeId, 100);
    const { body } = await theirs.ask<LedgerLine[]>('GET', '/wallet/transactions?limit=1');
    const cursor = encodeURIComponent((body.meta as { next_cursor: string }).next_cursor);
    expect((await mine.ask('GET', `/wallet/transactions?limit=1&cursor=${cursor}`)).status).toBe(422);
    expect((await mine.ask<LedgerLine[]>('GET', '/wallet/transactions')).body.data).toHaveLength(3);
  });

  it('are read by index', async () => {
    const { rows } = lineListing.statements('S1', { limit: 50 } as never);
    expectNoSeqScan(await explain(commerce.database, rows.text, [...rows.values]));
  });
});

describe('the statement of a month', () => {
  const statement = async (storeId: string, month: string) => {
    const token = commerce.storeAuth.userToken({ store_id: storeId });
    const answer = await fetch(`${commerce.url}/api/wallet/statement?month=${month}`, { headers: bearer(token) });
    return { type: answer.headers.get('content-type'), lines: (await answer.text()).trimEnd().split('\r\n') };
  };

  it('opens and closes each bucket on the clock of the store, as three daily closes say', async () => {
    const { storeId } = await ownStore(commerce);
    // Midnight of Jakarta is 17:00 of the day before in UTC
    await postAt(storeId, '2026-01-31T16:59:59Z', 'order_paid', moved('gateway_clearing', 'wallet_pending', 100));
    await postAt(
      storeId,
      '2026-01-31T17:00:00Z',
      'order_paid',
      moved('gateway_clearing', 'wallet_pending', 700),
      '=1+1',
    );
    await postAt(storeId, '2026-02-10T03:00:00Z', 'settlement', moved('wallet_pending', 'wallet_available', 600));
    await postAt(storeId, '2026-02-28T16:59:59Z', 'charge', moved('wallet_available', 'ads_funds', 250));
    await postAt(storeId, '2026-02-28T17:00:00Z', 'charge', moved('wallet_available', 'ads_funds', 50));
    const moment = (at: string) => ({ storeId, currency: 'IDR', at: new Date(at) });
    for (const at of ['2026-01-31T17:00:00Z', '2026-02-11T17:00:00Z', '2026-02-28T17:00:00Z'])
      await commerce.database.tx((tx) => closeAt(tx, moment(at), ledgerAccounts));
    const { type, lines } = await statement(storeId, '2026-02');
    const [from, until] = ['2026-01-31T17:00:00.000Z', '2026-02-28T17:00:00.000Z'];
    const rest = lines.slice(4, -3);
    expect(type).toContain('text/csv');
    expect([...lines.slice(0, 4), ...lines.slice(-3)]).toEqual([
      'at,kind,ref,bucket,amount,balance,note',
      ...[
        `${from},opening_balance,,available,,0,`,
        `${from},opening_balance,,pending,,100,`,
        `${from},opening_balance,,locked,,0,`,
      ],
      ...[
        `${until},closing_balance,,available,,350,`,
        `${until},closing_balance,,pending,,200,`,
        `${until},closing_balance,,locked,,0,`,
      ],
    ]);
    expect(rest[0]).toBe(`${from},order_paid,r,pending,700,800,'=1+1`);
    expect(rest.slice(1, 3).sort()).toEqual([
      '2026-02-10T03:00:00.000Z,settlement,r,available,600,600,',
      '2026-02-10T03:00:00.000Z,settlement,r,pending,-600,200,',
    ]);
    expect(rest.slice(3)).toEqual(['2026-02-28T16:59:59.000Z,charge,r,available,-250,350,']);
    const closes = await commerce.database.query(
      `SELECT until, account, balance::int FROM ledger_close WHERE store_id = $1 AND account = 'wallet_available' ORDER BY until`,
      [storeId],
    );
    expect(closes).toEqual([
      { until: new Date(from), account: 'wallet_available', balance: 0 },
      { until: new Date('2026-02-11T17:00:00Z'), account: 'wallet_available', balance: 600 },
      { until: new Date(until), account: 'wallet_available', balance: 350 },
    ]);
    // And what is summed up from a close is what is summed up from the beginning
    const later = await balancesAt(commerce.database, moment('2026-03-01T00:00:00Z'), [
      'wallet_available',
      'ads_funds',
    ]);
    expect([...later]).toEqual([
      ['wallet_available', 300],
      ['ads_funds', 300],
    ]);
  });

  it('of a month without anything has its edges alone', async () => {
    const { storeId } = await ownStore(commerce);
    expect((await statement(storeId, '2025-12')).lines).toHaveLength(7);
  });

  it.each(['2026-13', '2026-3', '', '2026-03-01', '0000-01', '9999-12'])('is refused for %j', async (month) => {
    const { ask } = await ownStore(commerce);
    const message = month === '' ? 'month is a required field' : 'month must be a month such as 2026-03';
    expect(await ask('GET', `/wallet/statement?month=${month}`)).toEqual(invalid('month', message));
  });
});
