import { join } from 'node:path';
import { silentLogger } from '@platform/runtime';
import { expectNoSeqScan, explain, startScript, until, useRunning, vacuumed } from '@platform/testing';
import { startFakeMessages } from '../../../clients/chat.messages.fake';
import { OWNER_ID } from '../../../clients/store-auth.fake';
import { startCommerce } from '../../../commerce.fixture';
import { trial } from '../../../limits';
import { untilNobodyWorks } from '../../../second-process.fixture';
import { billedStore, passDays, renewNow, standAt, type BilledStore } from '../billing.fixture';
import type { Invoice } from '../invoices/public';
import { DUE, Renewals } from './renewals';
import { UNPAID } from './reminders';

const BEGIN = '2028-01-31T09:30:00.000Z';
const FIRST_END = '2028-02-29T09:30:00.000Z';
const chat = useRunning(() => startFakeMessages());
const commerce = useRunning(() => startCommerce({ CHAT_URL: chat.url }, BEGIN));
beforeEach(() => standAt(commerce, BEGIN));

const subscribed = async (code = 'starter', period?: string): Promise<BilledStore> => {
  const store = await billedStore(commerce);
  await store.subscribed(code, period);
  return store;
};
const renewAt = async (at: string): Promise<void> => {
  standAt(commerce, at);
  await renewNow(commerce);
};
const billsOf = async ({ ask }: BilledStore): Promise<string[]> =>
  (await ask<Invoice[]>('GET', '/subscription/invoices')).body.data
    .map(({ status, amount }) => `${status} ${amount}`)
    .sort();
const RENEWED = `SELECT 1 FROM subscription_purchase WHERE kind = 'renewal' AND state = 'ahead'`;
const standing = async (store: BilledStore): Promise<string> => {
  const { status, period_end } = await store.subscription();
  return `${status} until ${period_end ?? 'never'}`;
};

describe('the next period', () => {
  it('is paid from the wallet a week ahead, once, and begins when the one before it has ended, on the same day of the month', async () => {
    const store = await subscribed();
    await store.fund(300_000);
    await renewAt('2028-02-22T09:29:59Z');
    expect(await store.wallet()).toBe(300_000);
    await renewAt('2028-02-22T09:30:00Z');
    await renewAt('2028-02-28T09:30:00Z');
    expect([await store.wallet(), await standing(store)]).toEqual([201_000, `active until ${FIRST_END}`]);
    await renewAt(FIRST_END);
    expect(await standing(store)).toBe('active until 2028-03-31T09:30:00.000Z');
    await renewAt('2028-03-31T09:30:00Z');
    await renewAt('2028-04-30T09:30:00Z');
    expect([await store.wallet(), await standing(store)]).toEqual([3_000, 'active until 2028-05-31T09:30:00.000Z']);
    await renewAt('2028-05-31T09:30:00Z');
    expect(await billsOf(store)).toEqual(['open 99000', ...Array<string>(4).fill('paid 99000')]);
    expect(await standing(store)).toBe('past_due until 2028-05-31T09:30:00.000Z');
  });

  it('of a year that began on a leap day ends on 28 February, and on the next leap day in its year', async () => {
    standAt(commerce, '2028-02-29T09:30:00Z');
    const store = await subscribed('starter', 'yearly');
    await store.fund(4 * 990_000);
    const ends: string[] = [];
    for (const year of [2029, 2030, 2031]) {
      ends.push(await standing(store));
      await renewAt(`${year}-02-28T09:30:00Z`);
    }
    expect([...ends, await standing(store)]).toEqual(
      ['2029-02-28', '2030-02-28', '2031-02-28', '2032-02-29'].map((day) => `active until ${day}T09:30:00.000Z`),
    );
  });

  it('is paid once where many look for it at once, in this process and in two others', async () => {
    const stores = await Promise.all(Array.from({ length: 12 }, () => subscribed()));
    for (const store of stores) await store.fund(1_000_000);
    const AT = '2028-02-22T09:30:00.000Z';
    const env = { DATABASE_URL: commerce.database.url, AT };
    const others = [1, 2].map(() => startScript(join(__dirname, 'renewals.child.ts'), env));
    const renewed = async () => (await commerce.database.query(RENEWED)).length;
    await until(renewed);
    standAt(commerce, AT);
    await Promise.all([renewNow(commerce), renewNow(commerce), renewNow(commerce)]);
    await Promise.all(others.map((other) => other.stop()));
    await untilNobodyWorks(commerce);
    await renewNow(commerce);
    for (const store of stores) {
      expect([await billsOf(store), await store.wallet()]).toEqual([['paid 99000', 'paid 99000'], 901_000]);
    }
    await Promise.all([renewAt(FIRST_END), renewNow(commerce)]);
    expect(new Set(await Promise.all(stores.map(standing)))).toEqual(
      new Set(['active until 2028-03-31T09:30:00.000Z']),
    );
  });

  it('that is paid by hand while the job asks the wallet for it is paid once', async () => {
    const store = await subscribed();
    standAt(commerce, '2028-02-22T09:30:00Z');
    await renewNow(commerce);
    await store.fund(500_000);
    const [open] = (await store.ask<Invoice[]>('GET', '/subscription/invoices?status=open')).body.data;
    standAt(commerce, '2028-02-26T09:30:00Z');
    await Promise.all([renewNow(commerce), store.pay(open as Invoice), store.pay(open as Invoice)]);
    expect(await store.wallet()).toBe(401_000);
  });

  it('costs what the plan costs by then, and what was not looked at for months is made up for while there is money', async () => {
    const store = await subscribed();
    await commerce.database.query(`UPDATE plan SET price_monthly = 120000 WHERE code = 'starter'`);
    await store.fund(240_000);
    await renewAt('2028-04-01T09:30:00Z');
    await commerce.database.query(`UPDATE plan SET price_monthly = 99000 WHERE code = 'starter'`);
    expect([await store.wallet(), await standing(store)]).toEqual([0, 'active until 2028-04-30T09:30:00.000Z']);
  });
});

describe('an unpaid plan', () => {
  it('is past due for seven days, asks the wallet on each, and what is paid then counts from the end of the last period', async () => {
    const store = await subscribed('growth');
    await renewAt('2028-02-29T09:29:59Z');
    expect(await standing(store)).toBe(`active until ${FIRST_END}`);
    await renewAt(FIRST_END);
    expect([await standing(store), (await store.allowed()).devices]).toEqual([`past_due until ${FIRST_END}`, 5]);
    await store.fund(249_000);
    await renewAt('2028-03-03T09:30:00Z');
    expect([await standing(store), await store.wallet()]).toEqual(['active until 2028-03-31T09:30:00.000Z', 0]);
  });

  it('expires after seven days: the store is on the trial, its bill is void, and it may subscribe again', async () => {
    const store = await subscribed('growth');
    await renewAt(FIRST_END);
    await renewAt('2028-03-07T09:29:59Z');
    expect(await standing(store)).toBe(`past_due until ${FIRST_END}`);
    await renewAt('2028-03-07T09:30:00Z');
    expect([await standing(store), await store.allowed()]).toEqual([`expired until ${FIRST_END}`, trial]);
    expect(await billsOf(store)).toEqual(['paid 249000', 'void 249000']);
    await store.subscribed('starter');
    expect(await standing(store)).toBe('active until 2028-04-07T09:30:00.000Z');
  });

  it('ends at once when it is cancelled, as one that nobody has paid', async () => {
    const store = await subscribed();
    await renewAt(FIRST_END);
    expect((await store.ask('POST', '/subscription/cancel', {})).status).toBe(200);
    expect([await standing(store), await store.allowed()]).toEqual([`expired until ${FIRST_END}`, trial]);
  });

  it('of one store keeps no other waiting: what fails is logged, and left for the next time', async () => {
    const [broken, sound] = [await subscribed(), await subscribed()];
    const wrong = `UPDATE subscription SET period = 'yearly', anchor_day = 1, period_end = 'infinity', act_at = $2 WHERE store_id = $1`;
    await commerce.database.query(wrong, [broken.storeId, BEGIN]);
    await renewAt(FIRST_END);
    expect(await standing(sound)).toBe(`past_due until ${FIRST_END}`);
    await commerce.database.query('DELETE FROM subscription WHERE store_id = $1', [broken.storeId]);
  });
});

describe('a reminder', () => {
  const phone = '6281234567899';
  const mails = () => commerce.mails.filter(({ subject }) => subject.startsWith('Tagihan'));

  it('is told 7, 3, 1 and 0 days before the end while the bill is unpaid, by mail and by WhatsApp, each once', async () => {
    const owner = `INSERT INTO person (user_id, name, email, phone, created_at, updated_at)
      VALUES ($1, 'Sari', 'owner@toko-nusa.example', $2, now(), now()) ON CONFLICT (user_id) DO UPDATE SET phone = $2`;
    await commerce.database.query(owner, [OWNER_ID, phone]);
    const store = await subscribed();
    commerce.mails.splice(0);
    for (const day of [21, 22, 22, 24, 26, 27, 28, 29]) await renewAt(`2028-02-${day}T09:30:00Z`);
    await renewAt('2028-03-02T09:30:00Z');
    const [bill] = (await store.ask<Invoice[]>('GET', '/subscription/invoices?status=open')).body.data;
    const own = () => mails().filter(({ subject }) => subject.includes(bill?.number ?? 'none'));
    await until(async () => own().length === 4);
    const told = own().map(({ text }) => text.split('\n')[0]);
    expect(told.sort()).toEqual([
      'Halo Sari, paket toko Toko Nusa berakhir 1 hari lagi, 29 Februari 2028.',
      'Halo Sari, paket toko Toko Nusa berakhir 3 hari lagi, 29 Februari 2028.',
      'Halo Sari, paket toko Toko Nusa berakhir 7 hari lagi, 29 Februari 2028.',
      'Halo Sari, paket toko Toko Nusa berakhir hari ini.',
    ]);
    expect(own()[0]).toMatchObject({ to: 'owner@toko-nusa.example' });
    expect(own()[0]?.text).toMatch(
      /\nTagihan BIL-280222-\w{6}: Rp\s99\.000, paling lambat 7 Maret 2028\.\nBayar di https:\/\/shop\.example\/billing$/,
    );
    await until(
      async () =>
        chat.messages().filter(({ nohp, pesan }) => nohp === phone && pesan?.includes(bill?.number ?? 'none'))
          .length === 4,
    );
  });

  it('is not sent of a bill that was paid meanwhile', async () => {
    const store = await subscribed();
    commerce.mails.splice(0);
    await store.fund(99_000);
    await renewAt('2028-02-22T09:30:00Z');
    await renewAt(FIRST_END);
    passDays(commerce, 1);
    expect(mails()).toEqual([]);
  });
});

it('what is due and what is unpaid are found by index', async () => {
  const { database, clock } = commerce;
  await vacuumed(database, 'subscription');
  expectNoSeqScan(await explain(database, DUE, [clock.now(), []]), 'subscription');
  const id = '0199f7a0-0000-7000-8000-000000000001';
  expectNoSeqScan(await explain(database, UNPAID, ['S1', id, clock.now()]), 'subscription');
});

it('a bill that cannot be given up keeps no store from its renewal, and is given up the next time', async () => {
  const { database } = commerce;
  const [store, late] = [await subscribed(), await billedStore(commerce)];
  await store.fund(300_000);
  const { id } = await late.bill('starter');
  await database.query(`
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'a bug'; END $$;
    CREATE TRIGGER refuses BEFORE UPDATE ON invoice FOR EACH ROW
      WHEN (NEW.status = 'expired' AND NEW.id = '${id}') EXECUTE FUNCTION refuse()`);
  const renewing = renewAt('2028-02-22T09:30:00Z').catch(() => undefined);
  await renewing.finally(() => database.query('DROP FUNCTION refuse() CASCADE'));
  expect([await store.wallet(), await billsOf(late)]).toEqual([201_000, ['open 99000']]);
  await renewNow(commerce);
  expect(await billsOf(late)).toEqual(['expired 99000']);
});

it('a round of stores that all fail keeps nobody behind them waiting', async () => {
  const stores = Array.from({ length: 201 }, (_, nth) => ({ storeId: `R${nth}` }));
  const left = (failed: readonly string[]) => stores.filter(({ storeId }) => !failed.includes(storeId)).slice(0, 200);
  const database = {
    query: async (text: string, [, failed]: [Date, string[]]) => (text === DUE ? left(failed) : []),
    tx: () => Promise.reject(new Error('refused')),
  };
  const told = new Set<unknown>();
  const logger = {
    ...silentLogger,
    error: (_text: string, { storeId }: object & { storeId?: unknown } = {}) => void told.add(storeId),
  };
  const { clock } = commerce;
  const queue = { enqueue: async () => 'id' } as never;
  expect(await new Renewals({ database: database as never, clock, logger, queue }).run()).toBe(0);
  expect(told).toEqual(new Set(stores.map(({ storeId }) => storeId)));
});

it('the job does what is due by itself', async () => {
  const store = await subscribed();
  await store.fund(99_000);
  standAt(commerce, '2028-02-22T09:30:00Z');
  const { database, clock } = commerce;
  const queue = { enqueue: async () => 'id' } as never;
  expect(await new Renewals({ database: database as never, clock, logger: silentLogger, queue }).run()).toBeGreaterThan(
    0,
  );
  expect(await store.wallet()).toBe(0);
});
