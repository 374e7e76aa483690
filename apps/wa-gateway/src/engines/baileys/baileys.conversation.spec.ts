/** @jest-environment ../../tools/jest/native-import.environment.cjs */
import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { until, useRunning } from '@platform/testing';
import type { PhoneMediaKind } from '@platform/testing/whatsapp';
import type { Jid, NeutralMessage, OutContent } from '../engine.types';
import { acceptSend, useEngine } from './engine.fixture';

const SHOP = '628110000001';
const SHOP_JID = `${SHOP}@s.whatsapp.net`;
const BUDI = '628123456789';
const BUDI_JID = `${BUDI}@s.whatsapp.net`;
const files = new Map(
  ['image', 'video', 'document', 'audio', 'voice', 'sticker'].map((key) => [key, randomBytes(3_000)]),
);

const { database, sandbox, sink, engine } = useEngine({ shop: SHOP, files });
const budi = useRunning(() => sandbox.phone(BUDI, { name: 'Budi', picture: 'https://pps.example/budi.jpg' }));

let count = 0;
const send = async (content: OutContent, options: { quotedId?: string; mentions?: Jid[] } = {}, to = BUDI_JID) => {
  const id = `3EB0${String(++count).padStart(18, '0')}`;
  await acceptSend(database, { chat: to, id, content });
  await engine.send(to, content, { id, ...options });
  return budi.waitFor((message) => message.id === id);
};
const heard = async (id: string): Promise<NeutralMessage> => {
  const found = await until(
    () => sink.messages.find((message) => message.id === id),
    (message) => message !== undefined,
  );
  if (!found) throw new Error('nothing was heard');
  return found;
};
const known = (message: NeutralMessage) =>
  Object.fromEntries(Object.entries(message).filter(([name, value]) => value !== undefined && name !== 'raw'));
const media = (kind: PhoneMediaKind, mimetype: string) => ({ kind, mimetype, bytes: randomBytes(3_000) });

describe('a customer', () => {
  it('writes, and the shop hears it by number', async () => {
    const { id } = await budi.sendText(SHOP, 'ada stok? 👟 مرحبا\nya');
    expect(await heard(id)).toMatchObject({
      ...{ id, chat: BUDI_JID, fromMe: false, name: 'Budi', at: expect.any(Number), kind: 'chat' },
      text: 'ada stok? 👟 مرحبا\nya',
      raw: { key: { remoteJid: BUDI_JID, fromMe: false, id }, pushName: 'Budi' },
    });
  });

  it.each([
    ['image', 'image/jpeg', 'image', 'ini kak'],
    ['video', 'video/mp4', 'video', 'ini kak'],
    ['document', 'application/pdf', 'document', 'ini kak'],
    ['audio', 'audio/mp4', 'audio', undefined],
    ['voice', 'audio/ogg; codecs=opus', 'audio', undefined],
    ['sticker', 'image/webp', 'image', undefined],
  ] as const)('sends a file of kind %s, which arrives byte by byte', async (kind, mimetype, type, caption) => {
    const file = media(kind, mimetype);
    const fileName = kind === 'document' ? 'harga.pdf' : undefined;
    const { id } = await budi.sendMedia(SHOP, { ...file, caption, fileName });
    const message = await heard(id);
    const ref = { key: expect.any(String), mimetype, size: 3_000, ...(fileName ? { fileName } : {}) };
    expect(known(message)).toMatchObject({ kind: type, media: ref, ...(caption ? { caption } : {}) });
    if (!message.media) throw new Error('no file');
    const read = await buffer(await engine.fetchMedia(message.media, new AbortController().signal));
    expect(read.equals(file.bytes)).toBe(true);
    expect(JSON.stringify(message)).not.toMatch(/"mediaKey"|jpegThumbnail/);
  });

  it('sends a place, a contact and a poll', async () => {
    const place = await budi.sendLocation(SHOP, {
      latitude: -6.2,
      longitude: 106.8,
      name: 'Monas',
      address: 'Jakarta',
    });
    expect(known(await heard(place.id))).toMatchObject({
      kind: 'chat',
      location: { latitude: '-6.2', longitude: '106.8', name: 'Monas', address: 'Jakarta' },
    });
    const contact = await budi.sendContact(SHOP, { name: 'Ani', number: '628120000009' });
    expect(known(await heard(contact.id))).toMatchObject({ kind: 'chat', text: 'Ani' });
    const poll = await budi.sendPoll(SHOP, { name: 'Warna?', options: ['Hitam', 'Putih'] });
    expect(known(await heard(poll.id))).toMatchObject({ kind: 'chat', text: 'Warna?' });
  });

  it('answers a message of the shop, reacts to it, corrects and deletes an own one', async () => {
    const question = await send({ kind: 'text', text: 'ukuran berapa?' });
    const answer = await budi.sendText(SHOP, '42', { quoted: question });
    expect(known(await heard(answer.id))).toMatchObject({ kind: 'extendedtext', text: '42', quote: 'ukuran berapa?' });
    const reaction = await budi.react({ id: question.id, chat: SHOP_JID, fromMe: false }, '👍');
    await until(() => sink.reactions.length, Boolean);
    expect(sink.reactions).toEqual([
      {
        ...{ id: reaction.id, chat: BUDI_JID, fromMe: false, name: 'Budi', at: expect.any(Number) },
        ...{ target: question.id, emoji: '👍' },
      },
    ]);
    const edit = await budi.edit(answer, '43');
    expect(await heard(edit.id)).toMatchObject({ kind: 'chat', text: '43', raw: { editOf: answer.id } });
    await budi.revoke(answer);
    await until(() => sink.events.filter(({ name }) => name === 'messageRevoked').length, Boolean);
    expect(sink.events.find(({ name }) => name === 'messageRevoked')?.payload).toEqual({
      ...{ number: BUDI_JID, fromMe: false, id: answer.id },
    });
  });
});

describe('the shop', () => {
  it.each(['image', 'video', 'document', 'audio', 'voice', 'sticker'] as const)(
    'sends a file of kind %s, which arrives byte by byte',
    async (kind) => {
      const caption = ['image', 'video', 'document'].includes(kind) ? 'ini kak' : undefined;
      const ref = { key: kind, mimetype: 'application/pdf', fileName: `${kind}.bin`, size: 3_000 };
      const got = await send({ kind, media: ref, caption });
      expect((await budi.download(got)).equals(files.get(kind) ?? Buffer.alloc(0))).toBe(true);
      expect(got.text).toBe(caption ?? '');
      expect(Boolean(got.content?.audioMessage?.ptt)).toBe(kind === 'voice');
    },
  );

  it('sends a place, a contact and a poll', async () => {
    const place = await send({ kind: 'location', latitude: -6.2, longitude: 106.8, name: 'Toko', address: 'Jl. 1' });
    expect(place.content?.locationMessage).toMatchObject({
      degreesLatitude: -6.2,
      degreesLongitude: 106.8,
      name: 'Toko',
    });
    const contact = await send({ kind: 'contact', name: 'Ani; Sari', phone: '628120000009@s.whatsapp.net' });
    expect(contact.content?.contactMessage).toMatchObject({
      displayName: 'Ani; Sari',
      vcard:
        'BEGIN:VCARD\nVERSION:3.0\nFN:Ani\\; Sari\nTEL;type=CELL;type=VOICE;waid=628120000009:+628120000009\nEND:VCARD',
    });
    const poll = await send({ kind: 'poll', name: 'Warna?', options: ['Hitam', 'Putih'], selectable: 1 });
    expect(poll.content?.pollCreationMessageV3).toMatchObject({
      name: 'Warna?',
      options: [{ optionName: 'Hitam' }, { optionName: 'Putih' }],
    });
  });

  it('answers a message, names people, and reacts', async () => {
    const { id } = await budi.sendText(SHOP, 'masih ada?');
    const { chat, fromMe } = await heard(id);
    await database.query(
      `INSERT INTO message (instance_id, chat, from_me, id, direction, type, payload, at) VALUES ('dev1', $1, $2, $3, 'in', 'chat', $4, now())`,
      [chat, fromMe, id, JSON.stringify({ text: 'masih ada?' })],
    );
    const answer = await send(
      { kind: 'text', text: 'masih @628120000009' },
      { quotedId: id, mentions: ['628120000009@s.whatsapp.net'] },
    );
    expect(answer.content?.extendedTextMessage?.contextInfo).toMatchObject({
      ...{ stanzaId: id, participant: BUDI_JID, quotedMessage: { conversation: 'masih ada?' } },
      mentionedJid: ['628120000009@s.whatsapp.net'],
    });
    const reaction = await send({ kind: 'reaction', id, emoji: '🙏' });
    expect(reaction.content?.reactionMessage).toMatchObject({ text: '🙏', key: { id, fromMe: true } });
  });

  it('asks who is on WhatsApp, shows that it writes and that it has read', async () => {
    const found = await engine.exists([BUDI_JID, '628999999999@s.whatsapp.net']);
    expect([...found]).toEqual([
      [BUDI_JID, true],
      ['628999999999@s.whatsapp.net', false],
    ]);
    expect(await engine.profilePicture(BUDI_JID)).toBe('https://pps.example/budi.jpg');
    expect(await engine.profilePicture('628999999999@s.whatsapp.net')).toBeUndefined();
    await engine.typing(BUDI_JID, true);
    const { id } = await budi.sendText(SHOP, 'sudah baca?');
    await heard(id);
    await engine.markRead([{ id, chat: BUDI_JID }]);
    await budi.waitForReceipt((receipt) => receipt.id === id && receipt.type === 'read');
    expect(sandbox.heard(SHOP, 'chatstate').at(-1)).toMatchObject({
      attrs: { to: BUDI_JID },
      content: [{ tag: 'composing' }],
    });
  });

  it('neither writes to an id that only Meta knows nor shows there that it writes', async () => {
    const to = 'ID.13491208655302741918@bsuid';
    await expect(engine.send(to, { kind: 'text', text: 'halo' }, { id: '3EB0META' })).rejects.toThrow('Cloud API only');
    await expect(engine.typing(to, true)).rejects.toThrow('Cloud API only');
  });

  it('writes to whom a hidden id belongs, also where the device remembers a number for it that is another one’s now', async () => {
    const id = '3EB0HIDDEN';
    const chat = '628999999999@s.whatsapp.net';
    await acceptSend(database, { chat, id, content: { kind: 'text', text: 'rahasia' } });
    await engine.send(chat, { kind: 'text', text: 'rahasia' }, { id, hidden: budi.lid });
    expect(await budi.waitFor((message) => message.id === id)).toMatchObject({ text: 'rahasia' });
  });

  it('sends the same message again under its id: the customer gets the same bytes, nothing is uploaded twice', async () => {
    const content = { kind: 'image', media: { key: 'image', mimetype: 'image/jpeg' } } as const;
    const first = await send(content);
    const uploads = sandbox.media.requests.length;
    await engine.send(BUDI_JID, content, { id: first.id });
    await until(
      () => budi.received.filter(({ id }) => id === first.id).length,
      (copies) => copies === 2,
    );
    const copies = budi.received
      .filter(({ id }) => id === first.id)
      .map(({ content: got }) => got?.imageMessage?.directPath);
    expect(new Set(copies).size).toBe(1);
    expect(sandbox.media.requests).toHaveLength(uploads);
  });
});

it('WhatsApp was asked nothing that the sandbox does not know', () => {
  expect(sandbox.state().unlistedIqs).toEqual([]);
});
