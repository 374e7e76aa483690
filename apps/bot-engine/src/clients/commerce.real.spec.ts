// commerce-api itself, as a process beside this suite.
import { useRunning } from '@platform/testing';
import { startRajaOngkirSandbox } from '@platform/testing/shipping';
import { PRODUCT, SHIPPING, startRealCommerce } from './commerce.real.fixture';
import { commerceContract } from './commerce.contract';
import { courierContract, courierOrderContract } from './commerce.couriers.contract';
import { scriptParcel, sendByCouriers } from './commerce.couriers.fixture';

const sandbox = useRunning(() => startRajaOngkirSandbox({ port: 0, keys: ['k'] }));
const commerce = useRunning(() => startRealCommerce({ SHIP_A_BASE_URL: sandbox.url, SHIP_A_KEY: 'k' }));
let [storeId, suspendedStoreId, courierStoreId] = ['', '', ''];

beforeAll(async () => {
  [storeId, suspendedStoreId] = [await commerce.newStore(), await commerce.newStore()];
  courierStoreId = await commerce.newStore([]);
  await sendByCouriers((method, path, body) => commerce.as(courierStoreId, method, path, body));
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

describe('commerce-api itself with couriers', () => {
  const subject = () => ({
    ...{ client: commerce.client, storeId: courierStoreId, product: PRODUCT },
    script: (waybill: string) => scriptParcel(sandbox.url, waybill),
  });
  courierContract(subject);
  courierOrderContract(subject);
});
