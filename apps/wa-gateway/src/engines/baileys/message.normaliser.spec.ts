import type { proto } from 'baileys';
import { normalise, type Arrival, type MediaDescriptor } from './message.normaliser';

const CHAT = '628123456789@s.whatsapp.net';
const arrival = (content: proto.IMessage, more: Partial<Arrival> = {}): Arrival => ({
  ...{ id: 'M1', chat: CHAT, fromMe: false, name: 'Budi', at: 1_795_180_000, content },
  ...more,
});
const seal = ({ kind, directPath }: MediaDescriptor): string => `${kind} ${directPath}`;
const read = (content: proto.IMessage, more: Partial<Arrival> = {}) => normalise(arrival(content, more), seal);
/** Without what every message has. */
const facts = (content: proto.IMessage): unknown => {
  const result = read(content);
  if (result.kind !== 'message') return result;
  const { id: _id, chat: _chat, fromMe: _fromMe, name: _name, at: _at, raw: _raw, ...rest } = result.message;
  return Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
};

const bytes = new Uint8Array([1, 2, 3]);
const file = { mediaKey: bytes, directPath: '/v/file', fileSha256: bytes, jpegThumbnail: bytes, fileLength: 12 };
const long = { low: 70_000, high: 0, unsigned: true, toNumber: () => 70_000 };
const quoted = { conversation: 'yang tadi' };

describe('the kind of a message', () => {
  it.each<[string, proto.IMessage, unknown]>([
    ['plain text', { conversation: 'halo' }, { kind: 'chat', text: 'halo' }],
    ['text as the library sends it', { extendedTextMessage: { text: 'halo' } }, { kind: 'chat', text: 'halo' }],
    [
      'text with an address',
      { extendedTextMessage: { text: 'lihat https://toko.example', matchedText: 'https://toko.example' } },
      { kind: 'extendedtext', text: 'lihat https://toko.example', matchedText: 'https://toko.example' },
    ],
    [
      'an answer to a message',
      { extendedTextMessage: { text: 'ini?', contextInfo: { stanzaId: 'Q', quotedMessage: quoted } } },
      { kind: 'extendedtext', text: 'ini?', quote: 'yang tadi' },
    ],
    [
      'a picture in answer to a file',
      {
        imageMessage: {
          ...{ ...file, mimetype: 'image/jpeg', caption: 'ini' },
          contextInfo: { quotedMessage: { documentMessage: { caption: 'harga' } } },
        },
      },
      {
        ...{ kind: 'image', caption: 'ini', quote: 'harga' },
        media: { key: 'Image /v/file', mimetype: 'image/jpeg', size: 12 },
      },
    ],
    [
      'a sticker',
      { stickerMessage: { ...file, mimetype: 'image/webp', fileLength: long as never } },
      { kind: 'image', media: { key: 'Image /v/file', mimetype: 'image/webp', size: 70_000 } },
    ],
    [
      'a video',
      { videoMessage: { ...file, mimetype: 'video/mp4', caption: 'film' } },
      { kind: 'video', caption: 'film', media: { key: 'Video /v/file', mimetype: 'video/mp4', size: 12 } },
    ],
    [
      'a round video',
      { ptvMessage: { ...file, mimetype: 'video/mp4' } },
      { kind: 'video', media: { key: 'Video /v/file', mimetype: 'video/mp4', size: 12 } },
    ],
    [
      'a voice message',
      { audioMessage: { ...file, mimetype: 'audio/ogg; codecs=opus', ptt: true } },
      { kind: 'audio', media: { key: 'Audio /v/file', mimetype: 'audio/ogg; codecs=opus', size: 12 } },
    ],
    [
      'a document with words',
      {
        documentWithCaptionMessage: {
          message: { documentMessage: { ...file, mimetype: 'application/pdf', fileName: 'a.pdf', caption: 'harga' } },
        },
      },
      {
        ...{ kind: 'document', caption: 'harga' },
        media: { key: 'Document /v/file', mimetype: 'application/pdf', size: 12, fileName: 'a.pdf' },
      },
    ],
    [
      'a place',
      { locationMessage: { degreesLatitude: -6.2, degreesLongitude: 106.8, name: 'Monas', address: 'Jakarta' } },
      { kind: 'chat', location: { latitude: '-6.2', longitude: '106.8', name: 'Monas', address: 'Jakarta' } },
    ],
    ['a contact', { contactMessage: { displayName: 'Ani', vcard: 'BEGIN:VCARD' } }, { kind: 'chat', text: 'Ani' }],
    [
      'several contacts',
      { contactsArrayMessage: { contacts: [{ displayName: 'Ani' }, { displayName: 'Joko' }] } },
      { kind: 'chat', text: 'Ani, Joko' },
    ],
    ['a poll', { pollCreationMessageV3: { name: 'Warna?' } }, { kind: 'chat', text: 'Warna?' }],
    ['a button', { buttonsResponseMessage: { selectedDisplayText: 'Ya' } }, { kind: 'chat', text: 'Ya' }],
    ['a choice of a list', { listResponseMessage: { title: 'Ukuran 42' } }, { kind: 'chat', text: 'Ukuran 42' }],
    ['what nobody knows yet', { orderMessage: { orderId: '7' } }, { kind: 'chat' }],
    [
      'a disappearing message',
      { ephemeralMessage: { message: { conversation: 'sebentar' } } },
      { kind: 'chat', text: 'sebentar' },
    ],
    [
      'a picture to be seen once, in a disappearing chat',
      { ephemeralMessage: { message: { viewOnceMessageV2: { message: { conversation: 'rahasia' } } } } },
      { kind: 'chat', text: 'rahasia' },
    ],
    [
      'text that came with the key of a group',
      { senderKeyDistributionMessage: { groupId: 'g' }, conversation: 'halo' },
      { kind: 'chat', text: 'halo' },
    ],
  ])('of %s', (_, content, expected) => {
    expect(facts(content)).toEqual(expected);
  });

  it.each<[string, proto.IMessage]>([
    ['keys of a group alone', { senderKeyDistributionMessage: { groupId: 'g' } }],
    ['context alone', { messageContextInfo: {} }],
    ['housekeeping of the protocol', { protocolMessage: { type: 5 } }],
    ['a pinned message', { pinInChatMessage: {} }],
    ['a vote, which is read elsewhere', { pollUpdateMessage: {} }],
  ])('%s is nothing', (_, content) => {
    expect(read(content)).toEqual({ kind: 'nothing' });
  });
});

describe('what is said of another message', () => {
  it('an edit is a message with the new words, which names the first one', () => {
    const edit = { type: 14, key: { id: 'M0' }, editedMessage: { conversation: 'maksudnya 43' } };
    for (const content of [{ protocolMessage: edit }, { editedMessage: { message: { protocolMessage: edit } } }])
      expect(read(content)).toMatchObject({
        kind: 'message',
        message: { id: 'M1', kind: 'chat', text: 'maksudnya 43', raw: { editOf: 'M0' } },
      });
  });

  it('a deletion is an event', () => {
    const content = { protocolMessage: { type: 0, key: { id: 'M0' } } };
    expect(read(content, { participant: CHAT, chat: '1203@g.us' })).toEqual({
      kind: 'event',
      name: 'messageRevoked',
      payload: { number: '1203@g.us', id: 'M0', fromMe: false, participant: CHAT },
    });
  });

  it('a reaction names its message; one taken back has no emoji', () => {
    const reaction = { id: 'M1', chat: CHAT, fromMe: false, name: 'Budi', at: 1_795_180_000, target: 'M0' };
    expect(read({ reactionMessage: { key: { id: 'M0' }, text: '👍' } })).toEqual({
      kind: 'reaction',
      reaction: { ...reaction, emoji: '👍' },
    });
    expect(read({ reactionMessage: { key: { id: 'M0' } } })).toMatchObject({ reaction: { emoji: '' } });
  });
});

describe('the raw message', () => {
  const rawOf = (content: proto.IMessage, more?: Partial<Arrival>) => {
    const result = read(content, more);
    return result.kind === 'message' ? result.message.raw : undefined;
  };

  it('holds neither keys nor thumbnails nor secrets', () => {
    const raw = rawOf({
      imageMessage: { ...file, caption: 'x', fileLength: long as never, contextInfo: { mentionedJid: [] } },
      messageContextInfo: { messageSecret: bytes },
    });
    expect(raw).toEqual({
      key: { remoteJid: CHAT, fromMe: false, id: 'M1' },
      pushName: 'Budi',
      message: { imageMessage: { directPath: '/v/file', caption: 'x', fileLength: 70_000 } },
    });
  });

  it('says that a number is hidden', () => {
    expect(rawOf({ conversation: 'x' }, { chat: '77@lid', lid: '77@lid' })).toMatchObject({ lid: '77@lid' });
  });

  it('never gets larger than a callback may carry', () => {
    const raw = rawOf({ conversation: 'ä'.repeat(40_000) });
    expect(raw).toEqual({ key: { remoteJid: CHAT, fromMe: false, id: 'M1' }, pushName: 'Budi', truncated: true });
  });
});
