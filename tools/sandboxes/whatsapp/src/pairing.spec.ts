/** @jest-environment ../../jest/native-import.environment.cjs */
import { pairedAuth, plainClient } from './client.fixture';
import { loadLibrary } from './library';
import { child, children } from './node.reader';
import { memoryAuth } from './phone.auth';
import { startWhatsAppSandbox } from './sandbox';
import type { WhatsAppSandbox } from './sandbox.types';

let sandbox: WhatsAppSandbox;
let real: WhatsAppSandbox;

beforeAll(async () => {
  sandbox = await startWhatsAppSandbox({ fewKeys: true });
  real = await startWhatsAppSandbox();
});
afterAll(() => Promise.all([sandbox.stop(), real.stop()]));

describe('pairing with the WhatsApp sandbox', () => {
  it('links a client by its code, which then knows its account, name, number and LID', async () => {
    const auth = await pairedAuth(sandbox, { number: '628110000001', name: 'Toko Satu' });
    const [account] = sandbox.state().accounts;
    expect(account).toEqual({
      number: '628110000001',
      lid: expect.stringMatching(/^\d{15}$/) as string,
      name: 'Toko Satu',
      linked: true,
      online: false,
    });
    expect(auth.creds.me).toEqual({
      id: '628110000001:1@s.whatsapp.net',
      lid: `${account?.lid}:1@lid`,
      name: 'Toko Satu',
    });
    expect(auth.creds.platform).toBe('android');
    expect(auth.creds.account?.accountSignatureKey).toHaveLength(32);
  });

  it('asks the client to reconnect after pairing (515), and accepts its login', async () => {
    const auth = memoryAuth(await loadLibrary());
    const client = await plainClient(sandbox, auth);
    await sandbox.scan(await client.qr(1), { number: '628110000002' });
    await expect(client.closed).resolves.toBe(515);
    const again = await plainClient(sandbox, auth);
    await again.open;
    expect(sandbox.state().accounts.find(({ number }) => number === '628110000002')?.online).toBe(true);
    await again.end();
  });

  it('offers only six codes, after which the client gives up with 408', async () => {
    const client = await plainClient(sandbox, memoryAuth(await loadLibrary()), { qrTimeout: 20 });
    await expect(client.closed).resolves.toBe(408);
    expect(new Set(client.qrs).size).toBe(6);
  });

  it('links by the code typed into the phone, but not by a wrong one', async () => {
    const number = '628110000010';
    const auth = memoryAuth(await loadLibrary());
    const client = await plainClient(sandbox, auth);
    await client.qr(1);
    const code = await client.socket.requestPairingCode(number);
    await expect(sandbox.enterCode('WRONGONE', { number })).rejects.toThrow(
      'The code is not the one the client shows.',
    );
    await sandbox.enterCode(code, { number, name: 'Toko Kode' });
    await expect(client.closed).resolves.toBe(515);
    const again = await plainClient(sandbox, auth);
    await again.open;
    expect(auth.creds.me).toMatchObject({ id: `${number}:1@s.whatsapp.net`, name: 'Toko Kode' });
    await again.end();
  });

  it('refuses the code of a disconnected client', async () => {
    const client = await plainClient(sandbox, memoryAuth(await loadLibrary()));
    const qr = await client.qr(1);
    await client.end();
    await expect(sandbox.scan(qr, { number: '628110000003' })).rejects.toThrow('No client offers this code');
  });
});

describe('login at the WhatsApp sandbox', () => {
  it('a restart needs no new code', async () => {
    const auth = await pairedAuth(sandbox, { number: '628110000004' });
    const qrs: string[] = [];
    for (let login = 1; login <= 2; login++) {
      const client = await plainClient(sandbox, auth);
      await client.open;
      await client.end();
      qrs.push(...client.qrs);
    }
    expect(qrs).toEqual([]);
  });

  it('an unknown device gets 401', async () => {
    const auth = await pairedAuth(sandbox, { number: '628110000005' });
    await sandbox.disconnect('628110000005', 401);
    await expect((await plainClient(sandbox, auth)).closed).resolves.toBe(401);
  });

  it('a known device with another noise key gets 401', async () => {
    const auth = await pairedAuth(sandbox, { number: '628110000006' });
    const stranger = memoryAuth(await loadLibrary());
    const creds = { ...auth.creds, noiseKey: stranger.creds.noiseKey };
    await expect((await plainClient(sandbox, { ...auth, creds })).closed).resolves.toBe(401);
  });

  it('the second login of a device replaces the first (440)', async () => {
    const auth = await pairedAuth(sandbox, { number: '628110000007' });
    const first = await plainClient(sandbox, auth);
    await first.open;
    const second = await plainClient(sandbox, auth);
    await second.open;
    await expect(first.closed).resolves.toBe(440);
    await second.end();
  });

  it('a client without keys at the server uploads 812', async () => {
    const client = await plainClient(real, await pairedAuth(real, { number: '628110000011' }));
    await client.open;
    const uploads = (): number[] =>
      real.heard('628110000011', 'iq').flatMap((node) => {
        const list = child(node, 'list');
        return node.attrs.xmlns === 'encrypt' && list ? [children(list).length] : [];
      });
    expect(uploads()).toEqual([812]);
    await client.end();
  });

  it('a logout forgets the device', async () => {
    const auth = await pairedAuth(sandbox, { number: '628110000008' });
    const client = await plainClient(sandbox, auth);
    await client.open;
    await client.socket.logout();
    await expect((await plainClient(sandbox, auth)).closed).resolves.toBe(401);
  });

  it.each([401, 402, 403, 405, 406, 411, 440, 500, 503, 515] as const)(
    'a client that gets %i reports exactly that',
    async (cause) => {
      const number = `6281100010${cause}`;
      const client = await plainClient(sandbox, await pairedAuth(sandbox, { number }));
      await client.open;
      await sandbox.disconnect(number, cause);
      await expect(client.closed).resolves.toBe(cause);
    },
  );

  it('a client whose connection is cut reports 428', async () => {
    const client = await plainClient(sandbox, await pairedAuth(sandbox, { number: '628110000009' }));
    await client.open;
    await sandbox.disconnect('628110000009', 'lost');
    await expect(client.closed).resolves.toBe(428);
  });

  it('causes no request that the sandbox does not answer', () => {
    expect(sandbox.state().unlistedIqs).toEqual([]);
  });
});
