import { join } from 'node:path';
import { registrationsOf } from '@platform/http';
import { testSigningKey, useRecordedStory, useRunning } from '@platform/testing';
import { OWNER_ID } from './clients/store-auth.fake';
import { startCommerce } from './commerce.fixture';
import { SECRET } from './features/bot/door/door.fixture';
import { proveIdentity, sellByBot } from './walk.door.fixture';
import { sellDownloads } from './walk.digital.fixture';
import { nameOf, refuserOf, tellerOf, type Recorded, type Story } from './walk.fixture';
import { choosePlan } from './walk.billing.fixture';
import { answerChats, startChatSide } from './walk.chatside.fixture';
import { importLists, keepStock, sellGoods } from './walk.goods.fixture';
import { openDesks, payByProviders } from './walk.gateways.fixture';
import { goOutside, openOutside, outsideSettings } from './walk.outside.fixture';
import { hirePeople, knowPeople } from './walk.people.fixture';
import { advertise } from './walk.marketing.fixture';
import { lookBack } from './walk.reports.fixture';
import { sendByCouriers, startCouriers } from './walk.shipping.fixture';
import { keepWallet } from './walk.wallet.fixture';
import { pushSettings, tellPeople } from './walk.told.fixture';
import { endOrders, sellByHand, sellByLink, setTerms } from './walk.sales.fixture';

const { desks, gateways } = openDesks();
const outside = openOutside();
const chatSide = useRunning(startChatSide);
const couriers = useRunning(startCouriers);
const commerce = useRunning(async () =>
  startCommerce(
    {
      ...{ ...outsideSettings, ...chatSide.settings, ...couriers.settings, ...pushSettings },
      ...{ ENGINE_BOT_SECRET: SECRET, PAY_LINK_SECRET: 'a secret of links' },
      COMMERCE_CREDIT_KEY: (await testSigningKey()).exportPem(),
    },
    undefined,
    { gateways, outside: outside.needs },
  ),
);
beforeAll(() => {
  commerce.storeAuth.users.set('owner@toko-nusa.example', { password: 'a good passphrase' });
  return commerce.seed();
});

const recorded = useRecordedStory(join(__dirname, 'examples.answers.json'), {
  own: [
    // The demo shop has the same ids in every run, and its clock shows the same times
    [
      /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/,
      (nth, id) =>
        id === OWNER_ID || id[14] === '5' ? id : `0199f7a0-0000-7000-8000-1${String(nth).padStart(11, '0')}`,
    ],
    [/\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z/, (_, at) => at],
    [/\bWyJ[\w-]+\.[\w-]{43}\b/, () => '<token>'],
    [/INV-\d{6}-[0-9A-Z]{6}/, (nth) => `INV-260301-7K3Q${String(nth).padStart(2, '0')}`],
    [/BIL-\d{6}-[0-9A-Z]{6}/, (nth) => `BIL-260301-9W2D${String(nth).padStart(2, '0')}`],
    [/\b[A-Z]+(?:-[A-Z]+)*-[0-9A-F]{6}\b/, (nth, sku) => `${sku.slice(0, -6)}1F20D${nth}`],
  ],
  shown: ['code'],
});

/** What is sent to people, in requests that send it back. */
const SHOWN: Readonly<Record<string, object>> = {
  'POST /api/wallet/pin/reset': { code: '281904' },
  'POST /api/verification/phone/confirm': { code: '123456' },
};
/** Names that the service makes up, by the route that does. */
const INVENTED: Readonly<Record<string, string>> = { 'POST /api/checkout/links': 'k7mqa2xp' };

it('every route answers a good call as the documentation shows it, in a shop from its first product to its last order', async () => {
  const registrations = registrationsOf(commerce.app);
  const invented = new Map<string, string>();
  const renamed = <T>(value: T): T =>
    JSON.parse([...invented].reduce((text, [name, shown]) => text.replaceAll(name, shown), JSON.stringify(value))) as T;
  const ask = tellerOf(commerce, registrations, () => undefined);
  const record: Recorded = (registration, request, status, response) => {
    const route = nameOf(registration, status, response);
    const { code } = (response as { data?: { code?: string } }).data ?? {};
    if (INVENTED[route] && code) invented.set(code, INVENTED[route]);
    const shown = request && { ...request, ...SHOWN[route] };
    recorded(route, renamed({ request: shown, status, response }));
  };
  const tell = tellerOf(commerce, registrations, record);
  const story: Story = { commerce, tell, ask, refuse: refuserOf(commerce, registrations, record) };
  const { warehouse, hat } = await sellGoods(story);
  await keepStock(story, warehouse, hat);
  const budi = await knowPeople(story);
  const terms = await setTerms(story);
  await sellByHand(story, { ...terms, hat, budi, warehouse });
  await sellByLink(story, hat);
  await sellByBot(story);
  await endOrders(story, hat);
  await payByProviders(story, hat, desks);
  await importLists(story);
  await choosePlan(story);
  await hirePeople(story);
  await proveIdentity(story);
  await sellDownloads(story);
  await sendByCouriers(story, couriers);
  await advertise(story);
  // Before a day goes by, after which a job may have cancelled orders that nobody paid
  await lookBack(story);
  await keepWallet(story);
  await goOutside(story, outside);
  await tellPeople(story);
  await answerChats(story, chatSide);
});
