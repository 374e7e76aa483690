import { silentLogger, uuidv7, type Logger } from '@platform/runtime';
import { expectNoSeqScan, explain } from '@platform/testing';
import { ownStore, type OwnStore } from '../../../asked.fixture';
import { NOW, useCommerce } from '../../../commerce.fixture';
import { openInvoice } from '../../billing/invoices/public';
import { balancesAt } from '../balance/closes';
import { fund, heldBy, writerOf } from '../wallet.fixture';
import { LedgerAudit } from './ledger.audit';
import { DUE, Settlements } from './settlement.release';

const commerce = useCommerce();
const HOUR = 3_600_000;

/** A payment whose money waits in the wallet until then. */
const waiting = async ({ storeId }: OwnStore, amount: number, dueAt: Date): Promise<string> => {
  const id = uuidv7();
  const by = writerOf(storeId, new Date(NOW));
  if (amount > 0) await fund(commerce, storeId, amount, 'wallet_pending');
  await commerce.database.tx(async (tx) => {
    const lines = [{ text: 'x', qty: 1, amount: 1 }];
    const invoice = await openInvoice(tx, by, { kind: 'topup', ref: id, lines, currency: 'IDR', dueAt: null });
    await tx.query(
      `INSERT INTO payment (store_id, id, invoice_id, attempt, request_id, provider, amount, currency, status, created_at, updated_at)
       VALUES ($1, $2, $3, 1, $2, 'a', 1, 'IDR', 'paid', $4, $4)`,
      [storeId, id, invoice.id, NOW],
    );
    await tx.query(
      `INSERT INTO wallet_settlement (store_id, payment_id, amount, currency, due_at) VALUES ($1, $2, $3, 'IDR', $4)`,
      [...[storeId, id, amount, dueAt]],
    );
  });
  return id;
};
const settlements = (logger: Logger = silentLogger) =>
  new Settlements({ database: commerce.app.database, clock: commerce.clock, logger });
const soon = () => new Date(commerce.clock.now().getTime() - 1);

describe('the release of settlements', () => {
  it('makes available what is due, once, however many do it at once, and leaves the rest', async () => {
    const shop = await ownStore(commerce);
    await waiting(shop, 300, soon());
    await waiting(shop, 200, soon());
    await waiting(shop, 50, new Date(commerce.clock.now().getTime() + HOUR));
    const released = await Promise.all(Array.from({ length: 5 }, () => settlements().release()));
    expect(released.reduce((sum, each) => sum + each, 0)).toBe(2);
    expect(await heldBy(commerce, shop.storeId)).toEqual({
      gateway_clearing: 550,
      wallet_available: 500,
      wallet_pending: 50,
    });
    commerce.clock.advance(2 * HOUR);
    expect(await settlements().release()).toBe(1);
    expect(await settlements().release()).toBe(0);
  });

  it('of a payment of which all was given back moves nothing', async () => {
    const shop = await ownStore(commerce);
    await waiting(shop, 0, soon());
    expect(await settlements().release()).toBe(1);
    expect(await heldBy(commerce, shop.storeId)).toEqual({});
  });

  it('that fails for one store is logged, and done for the others', async () => {
    const [broken, fine] = [await ownStore(commerce), await ownStore(commerce)];
    await waiting(broken, 100, soon());
    // More than it holds: the ledger refuses
    await commerce.database.query('UPDATE wallet_settlement SET amount = 900 WHERE store_id = $1', [broken.storeId]);
    for (let nth = 0; nth < 25; nth += 1) await waiting(fine, 10, soon());
    const errors: string[] = [];
    const logger = { ...silentLogger, error: (text: string) => void errors.push(text) };
    expect(await settlements(logger).release()).toBe(25);
    expect(errors).toEqual(['money of a payment could not be released']);
    expect(await heldBy(commerce, fine.storeId)).toMatchObject({ wallet_available: 250 });
    await commerce.database.query('UPDATE wallet_settlement SET amount = 100 WHERE store_id = $1', [broken.storeId]);
    await settlements().release();
  });

  it('that fails for more payments of a store than come at once is done for those behind them', async () => {
    const shop = await ownStore(commerce);
    for (let nth = 0; nth < 10; nth += 1) await waiting(shop, 100, soon());
    // More than it holds: the ledger refuses
    await commerce.database.query('UPDATE wallet_settlement SET amount = 9000 WHERE store_id = $1', [shop.storeId]);
    const behind = 'UPDATE wallet_settlement SET due_at = due_at - interval $$1 hour$$ WHERE store_id = $1';
    await commerce.database.query(behind, [shop.storeId]);
    await waiting(shop, 10, soon());
    expect(await settlements().release()).toBe(1);
    expect(await heldBy(commerce, shop.storeId)).toMatchObject({ wallet_available: 10, wallet_pending: 1000 });
    await commerce.database.query('UPDATE wallet_settlement SET amount = 100 WHERE store_id = $1 AND amount > 10', [
      shop.storeId,
    ]);
    expect(await settlements().release()).toBe(10);
  });

  it('is found by index', async () => expectNoSeqScan(await explain(commerce.database, DUE, [new Date(NOW), []])));
});

describe('the nightly audit', () => {
  const audit = (logger: Logger = silentLogger) =>
    new LedgerAudit({
      ...commerce,
      database: commerce.app.database,
      queue: { enqueue: async () => '1' } as never,
      logger,
    });
  const differences = async () =>
    commerce.database.query('SELECT store_id, what, off_by FROM ledger_difference ORDER BY store_id, what');
  const gauge = async () =>
    /commerce_ledger_differences\{[^}]*\} (\d+)/.exec(String((await commerce.get('/metrics')).body))?.[1];

  it('finds nothing in a ledger that adds up, and closes the day of every store', async () => {
    const shop = await ownStore(commerce);
    await fund(commerce, shop.storeId, 700);
    await audit().run({});
    expect([await differences(), await gauge()]).toEqual([[], '0']);
    commerce.clock.advance(24 * HOUR);
    await audit().run({});
    await audit().run({});
    const closes = await commerce.database.query<{ until: Date; balance: number }>(
      `SELECT until, balance::int FROM ledger_close WHERE store_id = $1 AND account = 'wallet_available' ORDER BY until`,
      [shop.storeId],
    );
    expect(closes.map(({ balance }) => balance)).toEqual([0, 700]);
    // Midnight on the clock of the store
    expect(closes.map(({ until }) => until.toISOString().slice(11, 16))).toEqual(['17:00', '17:00']);
    const at = closes[1]?.until ?? new Date(0);
    const moment = { storeId: shop.storeId, currency: 'IDR', at };
    expect([...(await balancesAt(commerce.database, moment, ['wallet_available']))]).toEqual([
      ['wallet_available', 700],
    ]);
  });

  it.each([
    ['was closed by a clock that was two days ahead', 48, 0],
    ['has more since, written by a clock that was two days behind', 0, -48],
  ])('a day that %s is closed anew, with all that is in it', async (_, closedBy, writtenBy) => {
    const { storeId } = await ownStore(commerce);
    const by = async (hours: number, work: () => Promise<unknown>) => {
      commerce.clock.advance(hours * HOUR);
      await work();
      commerce.clock.advance(-hours * HOUR);
    };
    await fund(commerce, storeId, 700);
    await by(closedBy, () => audit().run({}));
    await by(writtenBy, () => fund(commerce, storeId, 40));
    commerce.clock.advance(72 * HOUR);
    await audit().run({});
    // Also of a moment before the last close, as statements of months ask
    for (const hoursAgo of [0, 24]) {
      const at = new Date(commerce.clock.now().getTime() - hoursAgo * HOUR);
      const held = await balancesAt(commerce.database, { storeId, currency: 'IDR', at }, ['wallet_available']);
      expect([...held]).toEqual([['wallet_available', 740]]);
    }
  });

  it('that fails for one store is made of those behind it, and of that one the next night', async () => {
    const shops = [await ownStore(commerce), await ownStore(commerce)].toSorted((one, other) =>
      one.storeId < other.storeId ? -1 : 1,
    ) as [OwnStore, OwnStore];
    const [broken, behind] = shops;
    for (const { storeId } of shops) await fund(commerce, storeId, 700);
    const errors: string[] = [];
    const logger = { ...silentLogger, error: (text: string) => void errors.push(text) };
    const refuses = `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'too much to sum up'; END $$;
      CREATE TRIGGER refuses BEFORE INSERT ON ledger_close FOR EACH ROW WHEN (NEW.store_id = '${broken.storeId}') EXECUTE FUNCTION refuse()`;
    await commerce.database.query(refuses);
    try {
      commerce.clock.advance(24 * HOUR);
      await audit(logger).run({});
    } finally {
      await commerce.database.query('DROP TRIGGER refuses ON ledger_close; DROP FUNCTION refuse()');
    }
    const closes = () =>
      commerce.database.query<{ store_id: string }>(
        'SELECT DISTINCT store_id FROM ledger_close WHERE store_id = ANY ($1) ORDER BY 1',
        [shops.map(({ storeId }) => storeId)],
      );
    expect(await closes()).toEqual([{ store_id: behind.storeId }]);
    expect(errors).toEqual(['the ledger of a store could not be audited']);
    await audit().run({});
    expect(await closes()).toHaveLength(2);
  });

  it('tells of a balance that is not what its entries say, in the log and the metrics, until it is', async () => {
    const shop = await ownStore(commerce);
    await fund(commerce, shop.storeId, 700);
    const lose = `UPDATE ledger_account SET balance = balance + $2 WHERE store_id = $1 AND code = 'wallet_available'`;
    await commerce.database.query(lose, [shop.storeId, -1]);
    const told: unknown[] = [];
    await audit({ ...silentLogger, error: (...said: unknown[]) => void told.push(said) }).run({});
    const found = { what: 'account wallet_available IDR', off_by: '-1' };
    expect(told).toEqual([['the ledger does not add up', { storeId: shop.storeId, ...found }]]);
    expect([await differences(), await gauge()]).toEqual([[{ store_id: shop.storeId, ...found }], '1']);
    await commerce.database.query(lose, [shop.storeId, 1]);
    await audit().run({});
    expect([await differences(), await gauge()]).toEqual([[], '0']);
  });
});
