import { createHmac } from 'node:crypto';
import { BUDI, contractRoutes } from './contract-routes.fixture';
import { cloudAccount } from './engines/cloud/cloud.fixture';
import { until, type Gateway } from './gateway.fixture';

/** One good call; a query stands in the path. */
export interface GoodCall {
  readonly path?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** By `METHOD /path`: brings about what the call needs, and tells the call. */
type WalkCases = Readonly<Record<string, (gateway: Gateway) => GoodCall | Promise<GoodCall>>>;

/** Those of the contract, which need no more than the device and its customer. */
const contractCases: WalkCases = Object.fromEntries(
  contractRoutes.map(({ method, path, request }) => [
    `${method} ${path}`,
    () =>
      method === 'GET'
        ? { path: `${path}?${new URLSearchParams(request as Record<string, string>).toString()}` }
        : { body: request },
  ]),
);

const newDevice = ({ client }: Gateway, instanceID: string) => client.data(client.post('/api/new', { instanceID }));

const sessionCases: WalkCases = {
  'GET /api/qrcode': async (gateway) => {
    await newDevice(gateway, 'dev-qr');
    return { path: '/api/qrcode?instanceID=dev-qr' };
  },
  'GET /api/logout': async (gateway) => {
    await newDevice(gateway, 'dev-out');
    return { path: '/api/logout?instanceID=dev-out' };
  },
  'GET /api/device-info': async ({ client }) => {
    const path = '/api/device-info?instanceID=dev1';
    await until(
      () => client.data<{ queue: Record<string, number> }>(client.get(path)),
      ({ queue }) => queue.outgoing === 0 && queue.webhook === 0,
    );
    return { path };
  },
};

/** A message whose callback the receiver refused for good; the event of that callback. */
const deadCallback = async ({ client, receiver }: Gateway, from: string): Promise<string> => {
  receiver.answer = () => ({ body: { result: false, message: 'missing required fields' } });
  await client.customer(from, 'dev1', 'ada stok?');
  const dead = await until(
    () => client.data<{ items: { event_id: string; number: string }[] }>(client.get('/api/webhook/dead')),
    ({ items }) => items.some(({ number }) => number.startsWith(from)),
  );
  receiver.reset();
  return dead.items.find(({ number }) => number.startsWith(from))?.event_id ?? '';
};

const callbackCases: WalkCases = {
  'GET /api/webhook/dead': async (gateway) => {
    await deadCallback(gateway, '628120000021');
    return { path: '/api/webhook/dead?instanceID=dev1&limit=1' };
  },
  'POST /api/webhook/replay': async (gateway) => ({ body: { event_id: await deadCallback(gateway, '628120000022') } }),
};

/** Nobody gets it before it is asked for. */
const scheduledBroadcast = async ({ client }: Gateway, broadcast_id: string): Promise<string> => {
  const scheduled_at = new Date(Date.now() + 3_600_000).toISOString();
  const request = { instanceID: 'dev1', numbers: [BUDI], text: 'Promo', broadcast_id, scheduled_at };
  await client.data(client.post('/api/send-broadcast', request));
  return `/api/broadcast/${broadcast_id}`;
};

const broadcastCases: WalkCases = {
  'GET /api/broadcast/{id}': async (gateway) => ({ path: await scheduledBroadcast(gateway, 'B-2') }),
  'POST /api/broadcast/{id}': async (gateway) => ({
    path: await scheduledBroadcast(gateway, 'B-3'),
    body: { action: 'pause' },
  }),
};

const cloudMessage = {
  object: 'whatsapp_business_account',
  entry: [
    {
      id: '1',
      changes: [
        {
          field: 'messages',
          value: {
            metadata: { phone_number_id: cloudAccount.phone_number_id },
            contacts: [{ profile: { name: 'Budi' }, wa_id: BUDI }],
            messages: [
              { id: 'wamid.A', from: BUDI, timestamp: '1795180010', type: 'text', text: { body: 'ada stok?' } },
            ],
          },
        },
      ],
    },
  ],
};

const cloudCases: WalkCases = {
  'GET /webhook/cloud': () => ({
    path: `/webhook/cloud?${new URLSearchParams({
      'hub.mode': 'subscribe',
      'hub.verify_token': cloudAccount.verify_token,
      'hub.challenge': '1158201444',
    }).toString()}`,
  }),
  'POST /webhook/cloud': () => {
    const signature = createHmac('sha256', cloudAccount.app_secret).update(JSON.stringify(cloudMessage)).digest('hex');
    return { body: cloudMessage, headers: { 'x-hub-signature-256': `sha256=${signature}` } };
  },
};

/** What the shop wrote to this customer, once it has arrived there. */
const arrived = async ({ client }: Gateway, nohp: string): Promise<string> => {
  await client.data(client.post('/sim/phones', { nohp, name: 'Sari' }));
  await client.data(client.send(`P-${nohp}`, nohp, 'Halo kak', { instanceID: 'dev1' }));
  const { messages } = await until(
    () => client.data<{ messages: { id: string }[] }>(client.get(`/sim/inbox?nohp=${nohp}`)),
    ({ messages: shown }) => shown.length > 0,
  );
  return messages[0]?.id ?? '';
};

const simulatorCases: WalkCases = {
  'GET /sim/devices': async ({ database }) => {
    await database.query(`DELETE FROM device WHERE engine = 'simulator' AND instance_id <> 'dev1'`);
    return {};
  },
  'GET /sim/chat': async (gateway) => {
    await arrived(gateway, '628120000001');
    return { path: '/sim/chat?nohp=628120000001&instanceID=dev1' };
  },
  'POST /sim/phones': () => ({ body: { nohp: '628120000002', name: 'Sari' } }),
  'POST /sim/scan': async (gateway) => {
    await newDevice(gateway, 'dev-scan');
    await gateway.client.data(gateway.client.get('/api/qrcode?instanceID=dev-scan'));
    return { body: { instanceID: 'dev-scan', nohp: '628110000003' } };
  },
  'POST /sim/offline': async ({ client }) => {
    await client.data(client.post('/sim/phones', { nohp: '628120000003', name: 'Sari' }));
    return { body: { nohp: '628120000003', on: true } };
  },
  'GET /sim/inbox': async (gateway) => {
    await arrived(gateway, '628120000004');
    return { path: '/sim/inbox?nohp=628120000004' };
  },
  'POST /sim/messages': () => ({ body: { from: '628120000005', to: 'dev1', text: 'ada stok?' } }),
  'POST /sim/read': async (gateway) => {
    await arrived(gateway, '628120000006');
    return { body: { nohp: '628120000006', instanceID: 'dev1' } };
  },
  'POST /sim/play': async (gateway) => ({ body: { id: await arrived(gateway, '628120000007') } }),
  'POST /sim/receipt': async (gateway) => {
    const nohp = '628120000008';
    return { body: { instanceID: 'dev1', id: await arrived(gateway, nohp), nohp, status: 'viewed' } };
  },
  'POST /sim/faults': () => ({ body: { delay_ms: 0 } }),
};

export const walkCases: WalkCases = {
  ...contractCases,
  // The contract takes numbers as text too; the documentation shows how they are declared
  'POST /api/send-location': () => ({
    body: { instanceID: 'dev1', number: BUDI, latitude: -6.2, longitude: 106.8 },
  }),
  ...sessionCases,
  ...callbackCases,
  ...broadcastCases,
  ...cloudCases,
  ...simulatorCases,
};
