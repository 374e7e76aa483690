import { useRunning } from '@platform/testing';
import { startFakeChat } from './clients/chat.fake';
import { FAKE_SECRET, fakeProduct, fakeShop, startFakeCommerce } from './clients/commerce.fake';
import { startStoreAuth } from './clients/store-auth.fixture';

/** The demo shop as commerce-api sells it. */
const DEMO_SHOP = fakeShop('S1', {
  products: [
    fakeProduct({
      ...{ sku: 'SEPATU-HITAM-42', name: 'Sepatu Lari Nusa Hitam 42', category: 'Sepatu' },
      ...{ price: 250_000, stock: 7, image: 'https://cdn.example/s1.jpg' },
    }),
    fakeProduct({ sku: 'SANDAL-BIRU-40', name: 'Sandal Nusa Biru 40', category: 'Sandal', price: 90_000, stock: 0 }),
  ],
});

/** The services that the bot calls, as it sees them, for the tests of the surrounding suite. */
export const useSiblings = () => {
  const storeAuth = useRunning(startStoreAuth);
  const commerce = useRunning(() => startFakeCommerce([DEMO_SHOP]));
  const chat = useRunning(() => startFakeChat());
  const settings = () => ({
    ...{ STORE_AUTH_URL: storeAuth.url, SERVICE_CLIENT_SECRET: 'test', ENGINE_BOT_SECRET: FAKE_SECRET },
    ...{ COMMERCE_URL: commerce.url, CHAT_URL: chat.url },
  });
  return { commerce, chat, settings };
};
