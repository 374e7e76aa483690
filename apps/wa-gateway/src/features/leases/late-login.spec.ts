/** @jest-environment ../../tools/jest/native-import.environment.cjs */
import { useRunning } from '@platform/testing';
import { startWhatsAppSandbox } from '@platform/testing/whatsapp';
import { testBox } from '../../engines/baileys/engine.fixture';
import { linkOnPaper } from '../../engines/baileys/paper-link.fixture';
import { gatewayEnvironment, until } from '../../gateway.fixture';
import { useGatewayProcess, useProcess } from '../../process.fixture';
import { HeldLogin } from './held-login.fixture';

const SHOP = '628110000001';
const BUDI = '628123456789';
const sandbox = useRunning(() => startWhatsAppSandbox({ fewKeys: true }));
const way = useRunning(() => HeldLogin.start(sandbox.socketUrl));
const settings = () => ({
  ...{ LEASE_TTL: '3s', LEASE_HEARTBEAT: '1s', FORWARD_TIMEOUT: '1s', WA_ENGINE: 'baileys', CONNECT_JITTER: '0s' },
  ...{ WA_AUTH_KEY: Buffer.alloc(32, 7).toString('base64'), WA_ROOT_KEY: sandbox.rootKey },
  ...{ WEBHOOK_SEND_PENDING: 'false', ACK_TIMEOUT: '5s' },
});
const { database, receiver, gateway: first } = useGatewayProcess(() => ({ ...settings(), WA_SOCKET_URL: way.url }));
const second = useProcess(() => ({
  ...{ ...gatewayEnvironment(database.url, receiver.url), ...settings() },
  WA_SOCKET_URL: sandbox.socketUrl,
}));

const device = async () => {
  const sql = `SELECT d.status, l.address FROM device d JOIN lease l USING (instance_id) WHERE instance_id = 'dev1' AND l.expires_at > now()`;
  return (await database.query<{ status: string; address: string }>(sql))[0];
};
const logins = () => sandbox.state().counters.logins ?? 0;
const servedBySecond = { status: 'connected', address: '' };

it('a login that was on its way when its process hung takes the device from nobody: who has it by then comes back', async () => {
  const link = (number: string, key: Uint8Array) => sandbox.link(number, key);
  await linkOnPaper({ database, box: testBox, rootKey: sandbox.rootKey, link }, 'dev1', SHOP);
  await database.query(
    `INSERT INTO device (instance_id, engine, webhook_url, status) VALUES ('dev1', 'baileys', 'http://127.0.0.1:9', 'connecting')`,
  );
  sandbox.account(BUDI);
  const expected = { ...servedBySecond, address: second.client.url };
  await first.start();
  await until(
    () => way.size,
    (held) => held === 1,
  );
  first.suspend();
  try {
    await second.start();
    await until(
      async () => [await device(), logins()],
      (now) => JSON.stringify(now) === JSON.stringify([expected, 1]),
    );
    way.letGo();
    const ended = await until(
      async () => [(await device())?.status, logins()] as const,
      ([status, count]) => status === 'replaced' || (status === 'connected' && count === 3),
    );
    expect(ended).toEqual(['connected', 3]);
  } finally {
    first.wake();
  }
  for (const [n, { client }] of [first, second].entries())
    await until(
      () => client.send(`L-${n}`, BUDI, 'halo', { instanceID: 'dev1' }),
      ({ status }) => status === 200,
    );
  await until(
    () =>
      database.query<{ send_state: string }>(
        `SELECT pesan_id, send_state, repeats, error_code FROM message WHERE pesan_id LIKE 'L-%'`,
      ),
    (sends) => sends.length === 2 && sends.every((send) => send.send_state === 'acked'),
  );
  expect([await device(), logins()]).toEqual([expected, 3]);
});
