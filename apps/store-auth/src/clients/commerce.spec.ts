import { useRunning } from '@platform/testing';
import { commerceStock } from './commerce.client';
import { stockContract } from './commerce.contract';
import { startFakeCommerce } from './commerce.fake';

const item = { product_id: 'P1', variant_id: 'V1', sku: 'KAOS-M', stock: 7 };
const fake = useRunning(() => startFakeCommerce({ S1: [item], S9: [] }));
const stock = useRunning(async () => commerceStock(fake.url, () => 'a token'));

describe('the fake of commerce-api', () =>
  stockContract(() => ({ item: { sku: item.sku, stock: item.stock }, stock })));
