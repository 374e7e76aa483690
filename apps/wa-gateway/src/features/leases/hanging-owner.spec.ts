/** @jest-environment ../../tools/jest/native-import.environment.cjs */
import { useRunning } from '@platform/testing';
import { startWhatsAppSandbox } from '@platform/testing/whatsapp';
import { testBox } from '../../engines/baileys/engine.fixture';
import { linkOnPaper } from '../../engines/baileys/paper-link.fixture';
import { until } from '../../gateway.fixture';
import { useGatewayProcess } from '../../process.fixture';

const SHOP = '628110000001';
const BUDI = '628123456789';
const sandbox = useRunning(() => startWhatsAppSandbox({ fewKeys: true }));
const { database, gateway: first } = useGatewayProcess(() => ({
  ...{ LEASE_TTL: '6s', LEASE_HEARTBEAT: '2s', FORWARD_TIMEOUT: '1s', WA_ENGINE: 'baileys' },
  ...{ WA_AUTH_KEY: Buffer.alloc(32, 7).toString('base64'), WA_SOCKET_URL: sandbox.socketUrl },
  ...{ WA_ROOT_KEY: sandbox.rootKey, WEBHOOK_SEND_PENDING: 'false' },
  // What is handed to a line in the moment in which it dies is sent again after this; that a woken owner hands nothing to one: taken-over.spec.ts
  ...{ ACK_TIMEOUT: '30s' },
}));
const second = useRunning(() => first.another());

interface Sent {
  readonly pesan_id: string;
  readonly send_state: string;
  readonly repeats: number;
}

const device = async () => {
  const sql = `SELECT d.status, l.address FROM device d JOIN lease l USING (instance_id) WHERE instance_id = 'dev1' AND l.expires_at > now()`;
  return (await database.query<{ status: string; address: string }>(sql))[0];
};
const servedBy = (url: string) =>
  until(
    () => device(),
    (row) => row?.status === 'connected' && row.address === url,
  );
const logins = () => sandbox.state().counters.logins ?? 0;

it('an owner that hangs for longer than its lease leaves the device to another for good: nobody replaces anybody', async () => {
  const link = (number: string, key: Uint8Array) => sandbox.link(number, key);
  await linkOnPaper({ database, box: testBox, rootKey: sandbox.rootKey, link }, 'dev1', SHOP);
  await database.query(
    `INSERT INTO device (instance_id, engine, webhook_url, status) VALUES ('dev1', 'baileys', 'http://127.0.0.1:9', 'connected')`,
  );
  sandbox.account(BUDI);
  await first.start();
  await servedBy(first.client.url);
  // Before that it would hang in the middle of a login, which is another story: late-login.spec.ts
  await until(logins, (count) => count === 1);
  await second.start();
  for (let round = 0; round < 3; round++) {
    const [owner, other] = round % 2 === 0 ? [first, second] : [second, first];
    const before = logins();
    owner.suspend();
    await servedBy(other.client.url).finally(() => owner.wake());
    // Through both, to the one that has it now
    for (const [n, { client }] of [owner, other].entries())
      await until(
        () => client.send(`H-${round}-${n}`, BUDI, 'halo', { instanceID: 'dev1' }),
        ({ status }) => status === 200,
      );
    await until(
      () =>
        database.query<Sent>(`SELECT pesan_id, send_state, repeats FROM message WHERE pesan_id LIKE 'H-${round}-%'`),
      (sent) => sent.length === 2 && sent.every(({ send_state }) => send_state === 'acked'),
    );
    expect([await device(), logins() - before]).toEqual([{ status: 'connected', address: other.client.url }, 1]);
  }
});
