/** @jest-environment ../../jest/native-import.environment.cjs */
import { pairedAuth, plainClient, type PlainClient } from './client.fixture';
import { loadLibrary } from './library';
import { memoryAuth } from './phone.auth';
import { startWhatsAppSandbox } from './sandbox';
import type { CustomerPhone, WhatsAppSandbox } from './sandbox.types';

const SHOP = '628190000001';
let sandbox: WhatsAppSandbox;
let budi: CustomerPhone;

beforeAll(async () => {
  sandbox = await startWhatsAppSandbox({ fewKeys: true });
  budi = await sandbox.phone('628190000002', { name: 'Budi' });
});
afterAll(() => sandbox.stop());

const linked = async (): Promise<PlainClient> => {
  const client = await plainClient(sandbox, await pairedAuth(sandbox, { number: SHOP, name: 'Toko' }));
  await client.open;
  return client;
};
const text = async (client: PlainClient, of: string): Promise<string> => {
  const next = client.stanza('CB:message');
  await budi.sendText(SHOP, of);
  const { attrs } = await next;
  return attrs.id ?? '';
};

describe('devices of an account', () => {
  it('one that is unlinked and linked again is a new device, which writers to the old one reach', async () => {
    const first = await linked();
    await text(first, 'pertama');
    await first.socket.logout();
    const second = await linked();
    expect(second.socket.user?.id).toBe(`${SHOP}:2@s.whatsapp.net`);
    const id = await text(second, 'kedua');
    await budi.waitForReceipt((receipt) => receipt.id === id && receipt.type === 'delivered');
    await second.socket.logout();
  });

  it('all get each message, and each sees what the other sent', async () => {
    const [one, two] = [await sandbox.phone(SHOP), await sandbox.phone(SHOP)];
    const { id } = await budi.sendText(SHOP, 'dua layar');
    for (const each of [one, two]) expect((await each.waitFor((message) => message.id === id)).fromMe).toBe(false);
    const answer = await one.sendText(budi.number, 'dari layar satu');
    expect(await two.waitFor((message) => message.id === answer.id)).toMatchObject({
      chat: budi.jid,
      fromMe: true,
      text: 'dari layar satu',
    });
    await budi.waitFor((message) => message.id === answer.id);
    await one.offline();
    await two.offline();
  });

  it('one that never paired can log in after it was linked by its key', async () => {
    const auth = memoryAuth(await loadLibrary());
    const me = { id: sandbox.link('628190000003', auth.creds.noiseKey.public), name: 'Toko' };
    const client = await plainClient(sandbox, { ...auth, creds: { ...auth.creds, me } });
    await client.open;
    const id = client.stanza('CB:message');
    await budi.sendText('628190000003', 'sudah tertaut?');
    expect((await id).attrs.from).toBe(`${budi.number}:1@s.whatsapp.net`);
    await client.end();
  });

  it('send no request that the sandbox does not answer', () => {
    expect(sandbox.state().unlistedIqs).toEqual([]);
  });
});
