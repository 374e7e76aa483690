import { useRunning } from '@platform/testing';
import { startGraphSandbox } from '@platform/testing/graph';
import { until } from '../../gateway.fixture';
import { useGatewayProcess } from '../../process.fixture';
import { cloudAccount, cloudEnvironment, cloudSubscription, CUSTOMER } from './cloud.fixture';

const sandbox = useRunning(() => startGraphSandbox({ port: 0, wa: { webhookRetryMs: 50 } }));
const { receiver, gateway } = useGatewayProcess(() => ({
  ...cloudEnvironment(sandbox),
  WA_ENGINE: 'cloud',
  WA_CLOUD_PHONE_NUMBER_ID: cloudAccount.phone_number_id,
  WA_CLOUD_TOKEN: cloudAccount.token,
  WA_CLOUD_APP_SECRET: cloudAccount.app_secret,
  WA_CLOUD_VERIFY_TOKEN: cloudAccount.verify_token,
  ACK_TIMEOUT: '1s',
}));
beforeAll(async () => {
  await gateway.start();
  // Meta verifies the address before there is a device, which then takes the account of the environment
  expect(await sandbox.wa.subscribe(cloudSubscription(gateway.client.url))).toBe(true);
  await gateway.client.data(gateway.client.post('/api/new', { instanceID: 'toko-1' }));
});

describe('kill -9 of a gateway on the Cloud API', () => {
  it('between send and answer does not send again; messages and statuses of the outage arrive once', async () => {
    sandbox.wa.addFault({ kind: 'delay', ms: 60_000 });
    const { id } = await gateway.client.data<{ id: string }>(gateway.client.send('K-1', CUSTOMER, 'sekali saja'));
    await until(
      () => sandbox.wa.store.sent.length,
      (sent) => sent === 1,
    );
    await gateway.kill('SIGKILL');
    const ids = [0, 1, 2].map((n) => sandbox.wa.customerSends({ from: CUSTOMER, text: `selama mati ${n}` }));
    sandbox.wa.personReads(CUSTOMER);
    await until(
      () => sandbox.wa.webhooks.attempts.filter(({ status }) => status === 0).length,
      (refused) => refused >= 3,
    );
    await gateway.start();
    await until(
      () => sandbox.wa.webhooks.pending,
      (pending) => pending === 0,
    );
    await until(
      () => receiver.statuses(id),
      (statuses) => statuses.includes('viewed'),
    );
    await until(
      () => receiver.messages().length,
      (messages) => messages >= 3,
    );
    expect(
      receiver
        .messages()
        .map(({ fields }) => fields.id)
        .sort(),
    ).toEqual([...ids].sort());
    expect(sandbox.wa.store.sent.map(({ opaque }) => opaque)).toEqual([id]);
    const later = await gateway.client.data<{ id: string }>(gateway.client.send('K-2', CUSTOMER, 'lanjut'));
    await until(
      () => receiver.statuses(later.id),
      (statuses) => statuses.includes('delivered'),
    );
    expect(sandbox.wa.store.sent.map(({ opaque }) => opaque)).toEqual([id, later.id]);
  });
});

describe('a second replica', () => {
  it('passes webhooks on to the one that has the device, signature and all', async () => {
    const other = await gateway.another();
    await other.start();
    expect(await sandbox.wa.subscribe(cloudSubscription(other.client.url))).toBe(true);
    const id = sandbox.wa.customerSends({ from: CUSTOMER, text: 'lewat pintu lain 😀' });
    const heard = await until(
      () => receiver.messages().filter(({ fields }) => fields.id === id),
      (messages) => messages.length > 0,
    );
    expect(heard.map(({ fields }) => fields.text)).toEqual(['lewat pintu lain 😀']);
    await until(
      () => sandbox.wa.webhooks.pending,
      (pending) => pending === 0,
    );
    expect(sandbox.wa.webhooks.attempts.at(-1)?.status).toBe(200);
    await other.kill('SIGKILL');
  });
});
