// commerce-api itself, as a process beside this suite.
import { useRunning } from '@platform/testing';
import { PRODUCT, SHIPPING, startRealCommerce } from './commerce.real.fixture';
import { commerceContract } from './commerce.contract';

const commerce = useRunning(() => startRealCommerce());
let [storeId, suspendedStoreId] = ['', ''];

beforeAll(async () => {
  [storeId, suspendedStoreId] = [await commerce.newStore(), await commerce.newStore()];
  await commerce.database.query(`UPDATE commerce_api.store SET status = 'suspended' WHERE store_id = $1`, [
    suspendedStoreId,
  ]);
});

describe('commerce-api itself', () => {
  commerceContract(() => ({
    ...{ client: commerce.client, storeId, suspendedStoreId, product: PRODUCT, shipping: SHIPPING },
    pay: (orderNumber) => commerce.pay(storeId, orderNumber),
  }));
});
