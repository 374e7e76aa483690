import { uuidv7 } from '@platform/runtime';
import { until } from '@platform/testing';
import { NOW, type Commerce } from '../commerce.fixture';
import type { signedIn } from './browser.fixture';

type Shop = Awaited<ReturnType<typeof signedIn>>;
type Maker = (shop: Shop, commerce: Commerce) => Promise<string>;

/** As long as a name can be, with what would be markup. */
const LONG = 'Kepala-Gudang-Cabang<script>alert(1)</script>';
const TOLD = `INSERT INTO webhook_event (store_id, id, provider, route, dedupe_key, headers, raw, signature_ok, outcome, attempts, received_at, error)
  VALUES ($1, $2::uuid, 'b', '/api/pay_b/notify', $3, '{}', '', true, 'error', 1, $4, $5)`;
const NOTE = `INSERT INTO notification (store_id, id, user_id, notice_id, event, title, body, url, in_app, created_at)
  VALUES ($1, $2, $3, 'n', 'order.paid', $4, $4, '/orders', true, $5)`;

/** What stands on pages of the shop's people and settings: one of each, by their own forms. */
const settled = async ({ browser, storeId, userId }: Shop, { database }: Commerce): Promise<void> => {
  const sent = async (path: string, fields: Readonly<Record<string, string>>) => {
    await browser.get(path);
    await browser.post(path, fields);
  };
  await sent('/roles', { action: 'create', name: LONG.slice(0, 40), abilities: 'order.read' });
  const token = { action: 'create', name: LONG, lasts: 'year', abilities: 'order.read' };
  await sent('/settings/api-tokens', token);
  const account = { action: 'add', bank_code: 'BCA', number: '1'.repeat(34), holder: LONG, active: 'true' };
  await sent('/settings/payments', account);
  await database.query(NOTE, [storeId, uuidv7(), userId, LONG.repeat(4), NOW]);
};

/** The link that somebody was sent who is to work in the shop. */
const invited: Maker = async ({ storeId, userId }, commerce) => {
  const token = commerce.storeAuth.userToken({ sub: userId, store_id: storeId });
  const email = `${uuidv7()}@toko-nusa.example`;
  await commerce.call('POST', '/api/team/invite', token, { email, role_id: 'warehouse' });
  const { text = '' } = (await until(async () => commerce.mails.find(({ to }) => to === email))) ?? {};
  return `/invitation/${/\/invitation\/(\S+)/.exec(text)?.[1] ?? ''}`;
};

/** What a provider has told, to be processed again. */
const told: Maker = async ({ storeId }, { database }) => {
  const id = uuidv7();
  await database.query(TOLD, [storeId, id, id, NOW, LONG]);
  return `/logs/webhook/${id}`;
};

/** How the rows of the pages of people and settings are made. */
export const accountRows: readonly (readonly [path: string, make: Maker])[] = [
  ['/settings/{group}', (shop, commerce) => settled(shop, commerce).then(() => '/settings/shop')],
  ['/invitation/{token}', invited],
  ['/reset-password/{token}', () => Promise.resolve(`/reset-password/${uuidv7()}.ABCDE23456`)],
  ['/logs/webhook/{id}', told],
];
