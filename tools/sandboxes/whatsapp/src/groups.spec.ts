/** @jest-environment ../../jest/native-import.environment.cjs */
import { plainClient, pairedAuth, until, type PlainClient } from './client.fixture';
import { startWhatsAppSandbox } from './sandbox';
import type { CustomerPhone, MessageRef, PhoneMessage, WhatsAppSandbox } from './sandbox.types';

const ANI = '628140000001';
const NOBODY = '628140000099';
let sandbox: WhatsAppSandbox;
let ani: PlainClient;
let budi: CustomerPhone;
let citra: CustomerPhone;

beforeAll(async () => {
  sandbox = await startWhatsAppSandbox({ fewKeys: true });
  ani = await plainClient(sandbox, await pairedAuth(sandbox, { number: ANI, name: 'Ani' }));
  await ani.open;
  budi = await sandbox.phone('628140000002', { name: 'Budi' });
  citra = await sandbox.phone('628140000003', { name: 'Citra' });
});
afterAll(async () => {
  await ani.end();
  await sandbox.stop();
});

const arrived = (phone: CustomerPhone, id: string): Promise<PhoneMessage> =>
  phone.waitFor((message) => message.id === id && message.content !== undefined);
const members = async (group: string): Promise<string[]> => {
  const { participants } = await ani.socket.groupMetadata(group);
  return participants.map(({ id, admin }) => `${id.split('@')[0]} ${admin}`);
};

describe('groups of the WhatsApp sandbox', () => {
  let group: string;

  it('a new group has its creator and existing accounts as members, who are notified', async () => {
    const heard = await ani.socket.groupCreate('Belanja', [budi.jid, `${NOBODY}@s.whatsapp.net`]);
    group = heard.id;
    expect(heard).toMatchObject({ subject: 'Belanja', owner: `${ANI}@s.whatsapp.net`, addressingMode: 'pn', size: 2 });
    expect(await members(group)).toEqual([`${ANI} superadmin`, `${budi.number} null`]);
  });

  it('administrators change members, with one result each', async () => {
    const added = await ani.socket.groupParticipantsUpdate(
      group,
      [citra.jid, budi.jid, `${NOBODY}@s.whatsapp.net`],
      'add',
    );
    expect(added.map(({ jid, status }) => [jid, status])).toEqual([
      [citra.jid, '200'],
      [budi.jid, '409'],
      [`${NOBODY}@s.whatsapp.net`, '404'],
    ]);
    await ani.socket.groupParticipantsUpdate(group, [budi.jid], 'promote');
    expect(await members(group)).toEqual([`${ANI} superadmin`, `${budi.number} admin`, `${citra.number} null`]);
    await budi.changeGroup(group, 'demote', [budi.number]);
    await budi.changeGroup(group, 'remove', [citra.number]);
    expect(await members(group)).toEqual([`${ANI} superadmin`, `${budi.number} null`, `${citra.number} null`]);
  });

  it("a message reaches every member with its sender, preceded by the sender's key", async () => {
    const notified = ani.stanza('CB:message');
    const sent: MessageRef = await budi.sendText(group, 'halo semua');
    expect(await arrived(citra, sent.id)).toMatchObject({
      chat: group,
      participant: budi.jid,
      name: 'Budi',
      text: 'halo semua',
    });
    const { attrs, content } = await notified;
    expect(attrs).toMatchObject({ from: group, participant: `${budi.number}:1@s.whatsapp.net`, addressing_mode: 'pn' });
    expect(Array.isArray(content) ? content.map(({ tag, attrs: { type } }) => [tag, type]) : []).toEqual([
      ['enc', 'pkmsg'],
      ['enc', 'skmsg'],
      ['device-identity', undefined],
    ]);
    const second = await budi.sendText(group, 'lagi');
    expect((await arrived(citra, second.id)).text).toBe('lagi');
  });

  it('receipts name the members who read and played', async () => {
    const id = '3EB0GROUP1';
    await ani.socket.sendMessage(group, { text: 'baca' }, { messageId: id });
    const [one, two] = [await arrived(budi, id), await arrived(citra, id)];
    const receipts: string[] = [];
    ani.socket.ws.on('CB:receipt', ({ attrs }) => receipts.push(`${attrs.from} ${attrs.participant} ${attrs.type}`));
    await budi.markRead(one);
    await until(() => receipts.some((each) => each.endsWith('read')));
    await citra.markPlayed(two);
    await until(() => receipts.some((each) => each.endsWith('played')));
    expect(receipts.filter((each) => !each.endsWith('undefined'))).toEqual([
      `${group} ${budi.number}:1@s.whatsapp.net read`,
      `${group} ${citra.number}:1@s.whatsapp.net played`,
    ]);
  });

  it('a damaged group message is sent again to the member who asked', async () => {
    sandbox.faults({ garble: 1 }, citra.number);
    const sent = await budi.sendText(group, 'rusak');
    expect((await arrived(citra, sent.id)).text).toBe('rusak');
    expect(budi.received.filter(({ id }) => id === sent.id)).toEqual([]);
  });

  it('a stranger neither sees the group nor writes to it', async () => {
    const stranger = await sandbox.phone('628140000004');
    await expect(stranger.sendText(group, 'boleh?')).rejects.toThrow('item-not-found');
    await expect(ani.socket.groupMetadata('120363000000000000@g.us')).rejects.toThrow('item-not-found');
    await stranger.stop();
  });

  it('a member who is typing is shown as typing', async () => {
    const seen = ani.stanza('CB:chatstate');
    await budi.typing(group, true);
    expect(await seen).toMatchObject({
      attrs: { from: group, participant: budi.jid },
      content: [{ tag: 'composing' }],
    });
  });

  it('members receive notifications of changes', async () => {
    const notice = ani.stanza('CB:notification,type:w:gp2');
    await budi.createGroup('Lain', [ANI]);
    expect(await notice).toMatchObject({
      attrs: { participant: budi.jid, notify: 'Budi' },
      content: [{ tag: 'create', content: [{ tag: 'group', attrs: { subject: 'Lain' } }] }],
    });
    expect(sandbox.state().unlistedIqs).toEqual([]);
  });
});
