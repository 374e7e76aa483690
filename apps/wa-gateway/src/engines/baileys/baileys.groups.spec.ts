/** @jest-environment ../../tools/jest/native-import.environment.cjs */
import { createHash } from 'node:crypto';
import { until, useRunning } from '@platform/testing';
import { EngineRefused } from '../engine.errors';
import type { BaileysEngine } from './baileys.engine';
import { acceptSend, useEngine } from './engine.fixture';
import { voteOn } from './poll-vote.fixture';

const SHOP = '628110000001';
const [BUDI, ANI, HIDDEN, JOKO] = ['628123456781', '628123456782', '628123456783', '628123456784'] as const;
const jid = (number: string) => `${number}@s.whatsapp.net`;

const { database, sandbox, sink, engine } = useEngine({ shop: SHOP });
const phones = {
  budi: useRunning(() => sandbox.phone(BUDI, { name: 'Budi' })),
  ani: useRunning(() => sandbox.phone(ANI, { name: 'Ani', addressing: 'lid' })),
  hidden: useRunning(() => sandbox.phone(HIDDEN, { name: 'Rahasia', addressing: 'hidden' })),
};

const heard = (id: string) =>
  until(
    () => sink.messages.find((message) => message.id === id),
    (message) => message !== undefined,
  );
const sent = async (chat: string, id: string, content: Parameters<typeof engine.send>[1]) => {
  await acceptSend(database, { chat, id, content });
  await engine.send(chat, content, { id });
};

describe('a person behind a LID', () => {
  it('is known by number when WhatsApp tells it, and the pair is remembered', async () => {
    const { id } = await phones.ani.sendText(SHOP, 'halo dari ani');
    expect(await heard(id)).toMatchObject({
      ...{ chat: jid(ANI), name: 'Ani', text: 'halo dari ani', raw: { lid: phones.ani.lid } },
    });
    expect(await database.query(`SELECT lid, pn FROM chat_identity WHERE pn = $1`, [jid(ANI)])).toEqual([
      { lid: phones.ani.lid, pn: jid(ANI) },
    ]);
  });

  it('is heard once when she reacts', async () => {
    const { id } = await phones.ani.sendText(SHOP, 'terima kasih');
    await heard(id);
    await phones.ani.react({ id, chat: jid(SHOP), fromMe: true }, '👍');
    const after = await phones.ani.sendText(SHOP, 'sesudahnya');
    await heard(after.id);
    expect(sink.reactions).toMatchObject([{ chat: jid(ANI), target: id, emoji: '👍' }]);
  });

  it('is known by LID as long as the number is hidden, and by number once it is learned', async () => {
    const first = await phones.hidden.sendText(SHOP, 'siapa saya?');
    expect(await heard(first.id)).toMatchObject({ chat: phones.hidden.lid, raw: { lid: phones.hidden.lid } });
    await engine.exists([jid(HIDDEN)]);
    await database.query(`INSERT INTO chat_identity VALUES ('dev1', $1, $2)`, [phones.hidden.lid, jid(HIDDEN)]);
    const second = await phones.hidden.sendText(SHOP, 'ini saya');
    expect(await heard(second.id)).toMatchObject({
      chat: jid(HIDDEN),
      raw: { key: { remoteJid: jid(HIDDEN) }, lid: phones.hidden.lid },
    });
  });
});

describe('a group', () => {
  let group: string;
  let made: Awaited<ReturnType<BaileysEngine['groupCreate']>>;
  beforeAll(async () => {
    made = await engine.groupCreate('Reseller', [jid(BUDI), jid(ANI)]);
    group = made.group.id;
  });

  it('is made by the shop, and tells what became of each participant', () => {
    expect(made.group).toEqual({
      ...{ id: expect.stringMatching(/@g\.us$/), name: 'Reseller', description: undefined, owner: jid(SHOP) },
      ...{ createdAt: expect.any(Number), announce: false },
      members: expect.arrayContaining([
        { number: jid(SHOP), admin: 'superadmin' },
        { number: jid(BUDI), admin: null },
      ]),
    });
    expect(made.results).toEqual([BUDI, ANI].map((number) => ({ number: jid(number), status: 200, message: 'done' })));
  });

  it('is looked up, and one the device is not in is none', async () => {
    expect(await engine.groupInfo(group)).toMatchObject({ id: group, name: 'Reseller' });
    expect(await engine.groupInfo('120363999999999999@g.us')).toBeUndefined();
    expect(await engine.groupParticipants('120363999999999999@g.us', 'add', [jid(BUDI)])).toBeUndefined();
    await expect(
      sent('120363999999999999@g.us', '3EB0G00000000000000021', { kind: 'text', text: 'halo' }),
    ).rejects.toThrow(new EngineRefused('NOT_IN_GROUP', 'the device is in no such group'));
  });

  it('changes its members, one by one', async () => {
    sandbox.account(JOKO, { name: 'Joko' });
    const results = await engine.groupParticipants(group, 'add', [jid(JOKO)]);
    expect(results).toEqual([{ number: jid(JOKO), status: 200, message: 'done' }]);
    expect((await engine.groupInfo(group))?.members.map(({ number }) => number)).toContain(jid(JOKO));
  });

  it('hears the shop, and the shop hears who writes in it', async () => {
    await sent(group, '3EB0G00000000000000001', { kind: 'text', text: 'halo semua' });
    const [atBudi] = await Promise.all(
      [phones.budi, phones.ani].map((phone) => phone.waitFor(({ text }) => text === 'halo semua')),
    );
    expect(atBudi).toMatchObject({ id: '3EB0G00000000000000001', chat: group });
    const { id } = await phones.budi.sendText(group, 'siap');
    expect(await heard(id)).toMatchObject({
      chat: group,
      participant: jid(BUDI),
      name: 'Budi',
      text: 'siap',
      fromMe: false,
    });
    const second = await phones.ani.sendText(group, 'hadir');
    expect(await heard(second.id)).toMatchObject({ chat: group, participant: jid(ANI), name: 'Ani' });
    expect(sink.messages.filter((message) => message.id === id)).toHaveLength(1);
  });

  it('is asked for its members once, and again after they changed', async () => {
    const asked = () =>
      sandbox.heard(SHOP, 'iq').filter(({ attrs }) => attrs.xmlns === 'w:g2' && attrs.type === 'get').length;
    const before = asked();
    await sent(group, '3EB0G00000000000000011', { kind: 'text', text: 'satu' });
    await sent(group, '3EB0G00000000000000012', { kind: 'text', text: 'dua' });
    expect(asked()).toBe(before);
    await engine.groupParticipants(group, 'promote', [jid(BUDI)]);
    await sent(group, '3EB0G00000000000000013', { kind: 'text', text: 'tiga' });
    expect(asked()).toBe(before + 1);
  });

  it('tells delivered, read and played apart, per person, and nothing of what clients tell each other', async () => {
    const id = '3EB0G00000000000000002';
    await sent(group, id, { kind: 'text', text: 'dibaca?' });
    await phones.budi.waitFor((message) => message.id === id);
    const receipt = (type: string, participant: string) =>
      sandbox.send(SHOP, {
        tag: 'receipt',
        attrs: { from: group, participant, id, t: '1795180012', ...(type ? { type } : {}) },
      });
    for (const type of ['sender', 'inactive', 'read-self']) receipt(type, jid(BUDI));
    receipt('read', jid(BUDI));
    receipt('played', jid(BUDI));
    receipt('read', jid(SHOP));
    const ofBudi = () => sink.statuses.filter((change) => change.id === id && change.participant === jid(BUDI));
    await until(ofBudi, ({ length }) => length === 3);
    expect(
      ofBudi()
        .map(({ level }) => level)
        .sort(),
    ).toEqual(['delivered', 'played', 'viewed']);
    expect(sink.statuses.filter(({ participant }) => participant === jid(SHOP))).toEqual([]);
  });
});

it('a vote on a poll of the shop is an event with the words that were chosen', async () => {
  const id = '3EB0P00000000000000001';
  await sent(jid(BUDI), id, { kind: 'poll', name: 'Warna?', options: ['Hitam', 'Putih'], selectable: 1 });
  const { content } = await phones.budi.waitFor((message) => message.id === id);
  const vote = voteOn({
    pollId: id,
    secret: Buffer.from(content?.messageContextInfo?.messageSecret ?? []),
    creator: jid(SHOP),
    voter: jid(BUDI),
    option: createHash('sha256').update('Putih').digest(),
  });
  await phones.budi.sendProto(SHOP, {
    pollUpdateMessage: {
      pollCreationMessageKey: { id, fromMe: false, remoteJid: jid(SHOP) },
      vote,
      senderTimestampMs: 1,
    },
  });
  await until(() => sink.events.filter(({ name }) => name === 'pollVote').length, Boolean);
  expect(sink.events.find(({ name }) => name === 'pollVote')?.payload).toEqual({
    ...{ id, number: jid(BUDI), fromMe: false, options: ['Putih'] },
  });
});
