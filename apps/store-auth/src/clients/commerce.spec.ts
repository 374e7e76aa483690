import { commerceStock } from './commerce.client';
import { stockContract, type StockSubject } from './commerce.contract';
import { startFakeCommerce } from './commerce.fake';

let fake: Awaited<ReturnType<typeof startFakeCommerce>>;
let subject: StockSubject;

beforeAll(async () => {
  const item = { product_id: 'P1', variant_id: 'V1', sku: 'KAOS-M', stock: 7 };
  fake = await startFakeCommerce({ S1: [item], S9: [] });
  subject = { item: { sku: item.sku, stock: item.stock }, stock: commerceStock(fake.url, () => 'a token') };
});
afterAll(async () => {
  await subject.stock.stop?.();
  await fake.stop();
});

describe('the fake', () => stockContract(() => subject));
