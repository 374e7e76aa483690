import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { useRunning } from '@platform/testing';
import { until } from '../../gateway.fixture';
import { useGatewayProcess, type GatewayProcess } from '../../process.fixture';

const BUDI = '628123456789';
const DEVICES = ['dev1', 'dev2', 'dev3'];
const leases = { LEASE_TTL: '3s', LEASE_HEARTBEAT: '1s', FORWARD_TIMEOUT: '3s' };
const { database, receiver, gateway: first } = useGatewayProcess(() => leases);
const second = useRunning(() => first.another());
beforeAll(async () => {
  await first.start();
  for (const [n, device] of DEVICES.entries()) await first.client.link(device, {}, `62811000000${n}`);
  await first.client.data(first.client.post('/sim/phones', { nohp: BUDI }));
  await second.start();
  await shared();
});
beforeEach(() => receiver.reset());

const holders = async (): Promise<Record<string, string>> => {
  const sql = 'SELECT instance_id, address FROM lease WHERE expires_at > now() ORDER BY instance_id';
  const rows = await database.query<{ instance_id: string; address: string }>(sql);
  return Object.fromEntries(rows.map(({ instance_id, address }) => [instance_id, address]));
};
/** Three devices, two processes. */
const shared = () =>
  until(
    async () => Object.values(await holders()).sort(),
    (addresses) => addresses.length === 3 && new Set(addresses).size === 2,
  );
const at = async ({ client }: GatewayProcess): Promise<string[]> =>
  Object.entries(await holders()).flatMap(([device, address]) => (address === client.url ? [device] : []));
const allAt = ({ client }: GatewayProcess) => Object.fromEntries(DEVICES.map((device) => [device, client.url]));
const movedTo = (process: GatewayProcess) =>
  until(holders, (now) => JSON.stringify(now) === JSON.stringify(allAt(process)));
const starting = {
  success: false,
  message: 'starting',
  error: { code: 'UNAVAILABLE', retryable: true },
};

describe('two gateways on one database', () => {
  it('share the devices, and have one line per device between them', async () => {
    expect([(await at(first)).length, (await at(second)).length]).toEqual([2, 1]);
    const before = await holders();
    // Through both at the same time: every message leaves once, whoever is asked
    const ids = await Promise.all(
      Array.from({ length: 20 }, async (_, n) => {
        const { client } = n % 2 === 0 ? first : second;
        return (await client.data<{ id: string }>(client.send(`R-${n}`, BUDI, `halo ${n}`, { instanceID: 'dev1' }))).id;
      }),
    );
    await until(
      () => first.client.shows(BUDI),
      ({ length }) => length === 20,
    );
    const copies = await database.query('SELECT DISTINCT copies FROM sim_message WHERE id = ANY ($1)', [ids]);
    expect(copies).toEqual([{ copies: 1 }]);
    expect(await holders()).toEqual(before);
  });

  it('accept one pesan_id once, also when both are asked for it at the same time and callers hang up', async () => {
    const pesanIds = Array.from({ length: 10 }, (_, n) => `I-${n}`);
    const hurried = { instanceID: 'dev1' };
    await Promise.all(
      pesanIds.flatMap((pesanId, n) =>
        [first, second].map(async ({ client }, which) => {
          const data = { number: BUDI, text: `sekali ${n}`, ...hurried };
          const body = JSON.stringify({ pesan_id: pesanId, role: 'agent', data });
          const headers = { 'content-type': 'application/json' };
          // One of the two waits for no answer
          const signal = (n + which) % 2 === 0 ? AbortSignal.timeout(5) : undefined;
          await fetch(`${client.url}/api/send-message`, { method: 'POST', headers, body, signal }).catch(
            () => undefined,
          );
        }),
      ),
    );
    const again = await Promise.all(
      pesanIds.flatMap((pesanId, n) =>
        [first, second].map(({ client }) =>
          client.data<{ id: string; duplicate?: boolean }>(client.send(pesanId, BUDI, `sekali ${n}`, hurried)),
        ),
      ),
    );
    expect([new Set(again.map(({ id }) => id)).size, again.every(({ duplicate }) => duplicate)]).toEqual([10, true]);
    const texts = await until(
      async () => (await first.client.shows(BUDI)).filter((text) => text?.startsWith('sekali')),
      ({ length }) => length === 10,
    );
    expect([...texts].sort()).toEqual(pesanIds.map((_, n) => `sekali ${n}`));
    const copies = await database.query('SELECT DISTINCT copies FROM sim_message WHERE id = ANY ($1)', [
      again.map(({ id }) => id),
    ]);
    expect(copies).toEqual([{ copies: 1 }]);
  });

  it('accept sends for each other’s devices, in order, also while the other process hangs', async () => {
    const [device] = await at(first);
    first.suspend();
    try {
      for (let n = 0; n < 5; n++)
        await second.client.data(second.client.send(`H-${n}`, BUDI, `tertahan ${n}`, { instanceID: device }));
    } finally {
      first.wake();
    }
    const texts = await until(
      async () => (await second.client.shows(BUDI)).filter((text) => text?.startsWith('tertahan')),
      ({ length }) => length === 5,
    );
    expect(texts).toEqual(Array.from({ length: 5 }, (_, n) => `tertahan ${n}`));
    await shared();
  });

  it('answer alike, whichever has the device: forms, pictures, refusals', async () => {
    const form = new FormData();
    for (const [name, value] of Object.entries({ instanceID: 'dev1', number: BUDI, type: 'image', caption: 'foto' }))
      form.append(name, value);
    form.append('file', new Blob([new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3])]), 'a.jpg');
    const sent = await second.client.get('/api/send-media', { method: 'POST', body: form });
    expect(sent).toMatchObject({ status: 200, body: { data: { type: 'image', mimetype: 'image/jpeg', size: 7 } } });
    await second.client.data(second.client.post('/api/new', { instanceID: 'fresh' }));
    await second.client.code('fresh');
    const picture = await fetch(`${first.client.url}/api/qrcode?instanceID=fresh&format=png`);
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(
      Buffer.from(await picture.arrayBuffer())
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG');
    const answers = await Promise.all(
      [first, second].map(({ client }) => client.get('/api/device-info?instanceID=dev2')),
    );
    expect(answers[0]).toEqual(answers[1]);
    expect(await second.client.send('R-0', BUDI, 'lain', { instanceID: 'dev1' })).toMatchObject({
      status: 422,
      body: { message: 'pesan_id already used' },
    });
    await database.query(
      `DELETE FROM device WHERE instance_id = 'fresh'; DELETE FROM lease WHERE instance_id = 'fresh'`,
    );
  });

  it('link a phone and show its chats, whichever of them is asked', async () => {
    await second.client.data(second.client.post('/api/new', { instanceID: 'scanned' }));
    const qr = await second.client.code('scanned');
    const linked = { instanceID: 'scanned', number: '628110000009@s.whatsapp.net' };
    expect(await first.client.post('/sim/scan', { qr, nohp: '628110000009' })).toEqual({
      status: 200,
      body: { success: true, message: 'device linked', data: linked },
    });
    expect(await first.client.get(`/sim/chat?nohp=${BUDI}&instanceID=scanned`)).toMatchObject({
      status: 200,
      body: { data: { composing: false, messages: [] } },
    });
    expect(await first.client.post('/sim/scan', { instanceID: 'nobody', nohp: '628110000009' })).toMatchObject({
      status: 404,
      body: { message: 'device not found' },
    });
    await database.query(
      `DELETE FROM device WHERE instance_id = 'scanned'; DELETE FROM lease WHERE instance_id = 'scanned'`,
    );
  });

  it('pass a call on once: who is asked a second time refuses', async () => {
    const headers = { 'x-gateway-forwarded': '1' };
    const [device] = await at(first);
    const refused = await second.client.get(`/api/device-info?instanceID=${device}`, { headers });
    expect(refused).toEqual({ status: 503, body: starting });
    expect((await first.client.get(`/api/device-info?instanceID=${device}`, { headers })).status).toBe(200);
  });

  it('refuse a call for a device whose owner cannot be reached, or hangs', async () => {
    const [device] = await at(first);
    const hung = createServer(() => undefined).listen(0, '127.0.0.1');
    await once(hung, 'listening');
    for (const port of [1, (hung.address() as AddressInfo).port]) {
      const address = `http://127.0.0.1:${port}`;
      await database.query('UPDATE lease SET address = $1 WHERE instance_id = $2', [address, device]);
      const answer = await fetch(`${second.client.url}/api/device-info?instanceID=${device}`);
      expect([answer.status, answer.headers.get('retry-after'), await answer.json()]).toEqual([503, '5', starting]);
    }
    hung.close();
    await database.query('UPDATE lease SET address = $1 WHERE instance_id = $2', [first.client.url, device]);
  });
});

describe('a gateway that ends', () => {
  it('by kill -9 leaves its devices to the other, where everything goes on', async () => {
    await first.kill('SIGKILL');
    await movedTo(second);
    await second.client.customer(BUDI, 'dev1', 'masih di sini?');
    await until(
      () => receiver.messages().length,
      (count) => count === 1,
    );
    await second.client.data(second.client.send('R-K', BUDI, 'masih', { instanceID: 'dev1' }));
    await until(
      () => second.client.shows(BUDI),
      (texts) => texts.includes('masih'),
    );
  });

  it('by SIGTERM releases its leases at once, so that nobody waits for their end', async () => {
    await first.start();
    await shared();
    expect(await second.kill('SIGTERM')).toBe(0);
    expect(await database.query('SELECT instance_id FROM lease WHERE address = $1', [second.client.url])).toEqual([]);
    await movedTo(first);
    await first.client.customer(BUDI, 'dev2', 'dan sekarang?');
    await until(
      () => receiver.messages().length,
      (count) => count === 1,
    );
  });

  it('by kill -9 and comes back at its address has its devices again at once', async () => {
    await first.kill('SIGKILL');
    await first.start();
    expect(await movedTo(first)).toEqual(allAt(first));
  });
});
