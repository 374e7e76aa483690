// A process whose clock is days off, beside another: what it writes is by the time that both share.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { uuidv7 } from '@platform/runtime';
import { caller, useRunning } from '@platform/testing';
import { bearer, startCommerce } from './commerce.fixture';
import { orderShop } from './features/sales/orders/orders.fixture';
import type { Order } from './features/sales/orders/orders.dto';
import { startSecondProcess } from './second-process.fixture';

const commerce = useRunning(() => startCommerce({}, new Date().toISOString()));

/** Loaded into the program before all else. */
const CLOCK = (hours: number) => `const Real = Date;
  globalThis.Date = class extends Real {
    constructor(...given) { super(...(given.length === 0 ? [Date.now()] : given)); }
    static now() { return Real.now() + ${hours} * 3600000; }
  };`;
const startOff = (hours: number) => {
  const file = join(mkdtempSync(join(tmpdir(), 'clock-')), 'clock.cjs');
  writeFileSync(file, CLOCK(hours));
  return startSecondProcess(commerce, { NODE_OPTIONS: `--require=${file}` });
};

it.each([-48, 48])(
  'an order that comes to a process that is %i hours off is held as long as any other',
  async (hours) => {
    const shop = await orderShop(commerce, 9);
    const program = await startOff(hours);
    try {
      const call = caller(program.url);
      const headers = bearer(commerce.storeAuth.userToken({ store_id: shop.storeId }), { 'idempotency-key': uuidv7() });
      const { status, body } = await call('/api/order', { method: 'POST', body: shop.cart(1), headers });
      expect(status).toBe(201);
      const { data } = body as { data: Order };
      const held = `SELECT o.pay_expires_at - now() < interval '1 hour' AS shorter, o.pay_expires_at - other.pay_expires_at > interval '1 hour' AS longer
      FROM sales_order o, sales_order other WHERE o.id = $1 AND other.id = $2`;
      const other = await shop.place(shop.cart(1));
      expect(await commerce.database.query(held, [data.id, other.id])).toEqual([{ shorter: false, longer: false }]);
    } finally {
      await program.stop('SIGKILL');
    }
  },
);
