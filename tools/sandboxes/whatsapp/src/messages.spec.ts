/** @jest-environment ../../jest/native-import.environment.cjs */
import { startWhatsAppSandbox } from './sandbox';
import type { CustomerPhone, MessageRef, PhoneMessage, WhatsAppSandbox } from './sandbox.types';

let sandbox: WhatsAppSandbox;
let ani: CustomerPhone;
let budi: CustomerPhone;

beforeAll(async () => {
  sandbox = await startWhatsAppSandbox();
  ani = await sandbox.phone('628120000001', { name: 'Ani' });
  budi = await sandbox.phone('628120000002', { name: 'Budi' });
});
afterAll(() => sandbox.stop());

const arrived = (phone: CustomerPhone, { id }: MessageRef): Promise<PhoneMessage> =>
  phone.waitFor((message) => message.id === id && message.content !== undefined);
const copies = (phone: CustomerPhone, { id }: MessageRef): PhoneMessage[] =>
  phone.received.filter((message) => message.id === id);

describe('messages between two clients', () => {
  it('text arrives both ways with name, number, id and time', async () => {
    const sent = await ani.sendText(budi.number, 'Halo kak 👋\nada שלום?');
    const got = await arrived(budi, sent);
    expect(got).toEqual({
      id: sent.id,
      chat: ani.jid,
      fromMe: false,
      name: 'Ani',
      at: expect.any(Number) as number,
      text: 'Halo kak 👋\nada שלום?',
      content: expect.anything() as unknown,
    });
    const answer = await budi.sendText(ani.number, 'Ada', { quoted: got, id: '3EB0AAAA' });
    const { id, text, content } = await arrived(ani, answer);
    expect([id, text]).toEqual(['3EB0AAAA', 'Ada']);
    expect(content?.extendedTextMessage?.contextInfo?.stanzaId).toBe(sent.id);
  });

  it('location, contact, poll, reaction, edit and revocation arrive with their types', async () => {
    const place = await ani.sendLocation(budi.number, { latitude: -6.2, longitude: 106.8, name: 'Toko' });
    const contact = await ani.sendContact(budi.number, { name: 'Citra', number: '628120000009' });
    const poll = await ani.sendPoll(budi.number, { name: 'Warna?', options: ['Merah', 'Biru'] });
    const text = await ani.sendText(budi.number, 'satu');
    const reaction = await ani.react(text, '👍');
    const edit = await ani.edit(text, 'dua');
    const revoked = await ani.revoke(text);
    const all = await Promise.all([place, contact, poll, reaction, edit, revoked].map((each) => arrived(budi, each)));
    expect(all.map(({ text: told }) => told)).toEqual(['Toko', 'Citra', 'Warna?', '👍', 'dua', '']);
    expect(all[0]?.content?.locationMessage).toMatchObject({ degreesLatitude: -6.2, degreesLongitude: 106.8 });
    expect(all[3]?.content?.reactionMessage?.key?.id).toBe(text.id);
    expect(all[4]?.content?.protocolMessage?.key?.id).toBe(text.id);
    expect(all[5]?.content?.protocolMessage?.key?.id).toBe(text.id);
  });

  it('receipts advance: sent, delivered, read, played', async () => {
    const sent = await ani.sendText(budi.number, 'tanda');
    await ani.waitForReceipt(({ id, type }) => id === sent.id && type === 'delivered');
    const got = await arrived(budi, sent);
    await budi.markRead(got);
    await ani.waitForReceipt(({ id, type }) => id === sent.id && type === 'read');
    await budi.markPlayed(got);
    await ani.waitForReceipt(({ id, type }) => id === sent.id && type === 'played');
    const mine = ani.receipts.filter(({ id }) => id === sent.id);
    expect(mine.map(({ type }) => type)).toEqual(['sent', 'delivered', 'read', 'played']);
    expect(mine.map(({ chat }) => chat.replace(/:\d+/, ''))).toEqual(Array(4).fill(budi.jid));
  });

  it('one receipt for several messages covers each', async () => {
    const [first, second] = [await ani.sendText(budi.number, 'a'), await ani.sendText(budi.number, 'b')];
    await budi.markRead(await arrived(budi, first), await arrived(budi, second));
    for (const sent of [first, second]) await ani.waitForReceipt(({ id, type }) => id === sent.id && type === 'read');
    expect(
      sandbox
        .heard(budi.number, 'receipt')
        .filter(({ attrs }) => attrs.type === 'read')
        .at(-1),
    ).toMatchObject({
      attrs: { id: first.id },
      content: [{ tag: 'list', content: [{ tag: 'item', attrs: { id: second.id } }] }],
    });
  });

  it.each([true, false])('a damaged message is requested again and arrives (nackReleases %s)', async (nackReleases) => {
    sandbox.faults({ garble: 1, nackReleases }, budi.number);
    const sent = await ani.sendText(budi.number, 'rusak');
    expect((await arrived(budi, sent)).text).toBe('rusak');
    expect(copies(budi, sent).map(({ content }) => content !== undefined)).toEqual([false, true]);
    await ani.waitForReceipt(({ id, type }) => id === sent.id && type === 'delivered');
    expect(sandbox.state().held).toEqual([]);
  });

  it('messages to an offline phone arrive once and in order when it is back', async () => {
    await budi.offline();
    const sent = [];
    for (const text of ['1', '2', '3']) sent.push(await ani.sendText(budi.number, text));
    await Promise.all(sent.map(({ id }) => ani.waitForReceipt((each) => each.id === id && each.type === 'sent')));
    expect(sandbox.state().held).toEqual(sent.map(({ id }) => ({ number: budi.number, id })));
    await budi.online();
    await arrived(budi, sent[2] as MessageRef);
    const ids = sent.map(({ id }) => id);
    expect(budi.received.filter(({ id }) => ids.includes(id)).map(({ text }) => text)).toEqual(['1', '2', '3']);
    await ani.waitForReceipt(({ id, type }) => id === ids[2] && type === 'inactive');
    expect(sandbox.state().held).toEqual([]);
    await budi.offline();
    await budi.online();
    expect(budi.received.filter(({ id }) => ids.includes(id))).toHaveLength(3);
  });

  it('a receipt for an offline account waits for its login', async () => {
    const sent = await ani.sendText(budi.number, 'sebelum pergi');
    const got = await arrived(budi, sent);
    await ani.waitForReceipt(({ id, type }) => id === sent.id && type === 'delivered');
    await ani.offline();
    await budi.markRead(got);
    await ani.online();
    await ani.waitForReceipt(({ id, type }) => id === sent.id && type === 'read');
  });

  it('a message without encryption arrives', async () => {
    sandbox.inject({
      to: budi.number,
      from: '628120000003',
      id: 'PLAIN1',
      name: 'Iklan',
      message: { conversation: 'hai' },
    });
    const got = await budi.waitFor(({ id }) => id === 'PLAIN1');
    expect(got).toMatchObject({ chat: '628120000003@s.whatsapp.net', name: 'Iklan', text: 'hai' });
  });

  it('cause no request that the sandbox does not answer', () => {
    expect(sandbox.state().unlistedIqs).toEqual([]);
  });
});
