import { chatOf, levelOf, messageOf, reactionOf, writerNamed } from './cloud.normaliser';
import type { CloudMessage } from './cloud.webhook.types';

const now = new Date('2026-11-20T10:00:00Z');
const contacts = [{ profile: { name: 'Budi' }, wa_id: '628123456789' }];
const chat = '628123456789@s.whatsapp.net';
const read = (content: Partial<CloudMessage>, quote?: string) => {
  const message = { id: 'wamid.1', from: '628123456789', timestamp: '1795180010', ...content };
  const { raw, ...rest } = messageOf(message, { chat, contacts, quote, now });
  expect(raw).toEqual(message);
  return rest;
};
const expected = {
  id: 'wamid.1',
  chat,
  name: 'Budi',
  fromMe: false,
  at: 1795180010,
};

describe('messageOf', () => {
  it.each<[string, Partial<CloudMessage>, object]>([
    ['text', { type: 'text', text: { body: 'halo' } }, { kind: 'chat', text: 'halo' }],
    [
      'text with an address',
      { type: 'text', text: { body: 'lihat https://toko.example/a?b=1 kak' } },
      { kind: 'extendedtext', text: 'lihat https://toko.example/a?b=1 kak', matchedText: 'https://toko.example/a?b=1' },
    ],
    ['button', { type: 'button', button: { text: 'Setuju' } }, { kind: 'chat', text: 'Setuju' }],
    [
      'reply button',
      { type: 'interactive', interactive: { type: 'button_reply', button_reply: { title: 'Ya' } } },
      { kind: 'chat', text: 'Ya' },
    ],
    [
      'list entry',
      { type: 'interactive', interactive: { type: 'list_reply', list_reply: { title: 'Ukuran 42' } } },
      { kind: 'chat', text: 'Ukuran 42' },
    ],
    [
      'contacts',
      { type: 'contacts', contacts: [{ name: { formatted_name: 'Joko' } }, { name: { formatted_name: 'Ani' } }] },
      { kind: 'chat', text: 'Joko, Ani' },
    ],
    [
      'location',
      { type: 'location', location: { latitude: -6.2, longitude: 106.816, name: 'Kantor', address: 'Jl. Sudirman 1' } },
      { kind: 'chat', location: { latitude: '-6.2', longitude: '106.816', name: 'Kantor', address: 'Jl. Sudirman 1' } },
    ],
    [
      'image',
      { type: 'image', image: { id: '77', mime_type: 'image/jpeg', caption: 'ini' } },
      { kind: 'image', caption: 'ini', media: { key: '77', mimetype: 'image/jpeg' } },
    ],
    [
      'sticker',
      { type: 'sticker', sticker: { id: '77', mime_type: 'image/webp' } },
      { kind: 'image', media: { key: '77', mimetype: 'image/webp' } },
    ],
    [
      'voice message',
      { type: 'audio', audio: { id: '77', mime_type: 'audio/ogg; codecs=opus' } },
      { kind: 'audio', media: { key: '77', mimetype: 'audio/ogg' } },
    ],
    [
      'document',
      { type: 'document', document: { id: '77', mime_type: 'application/pdf', filename: 'harga.pdf' } },
      { kind: 'document', media: { key: '77', mimetype: 'application/pdf', fileName: 'harga.pdf' } },
    ],
    ['type that Meta adds tomorrow', { type: 'hologram' }, { kind: 'chat' }],
  ])('reads a %s', (_, content, facts) => {
    expect(read(content)).toEqual({ ...expected, ...facts });
  });

  it('makes an answer extendedtext, with the words it answers', () => {
    expect(read({ type: 'text', text: { body: '42' }, context: { id: 'wamid.0' } }, 'Ukuran berapa?')).toEqual({
      ...expected,
      kind: 'extendedtext',
      text: '42',
      quote: 'Ukuran berapa?',
    });
  });

  it('takes the time of arrival when Meta names none', () => {
    expect(read({ type: 'text', text: { body: 'halo' }, timestamp: '' }).at).toBe(now.getTime() / 1000);
  });

  it('knows a person without a number by the business-scoped id', () => {
    const message: CloudMessage = { id: 'wamid.2', from_user_id: 'ID.1349', timestamp: '1795180010', type: 'text' };
    const people = [...contacts, { profile: { name: 'Siti' }, user_id: 'ID.1349' }];
    expect(chatOf(writerNamed(message, people))).toBe('ID.1349@bsuid');
    expect(messageOf(message, { chat, contacts: people, now }).name).toBe('Siti');
  });

  it('takes nobody for another person of the same webhook', () => {
    const people = [
      { profile: { name: 'Siti' }, wa_id: '628111', user_id: 'ID.1' },
      { profile: { name: 'Tono' }, user_id: 'ID.2' },
    ];
    const message: CloudMessage = { id: 'wamid.4', from: '628222', timestamp: '1795180010', type: 'text' };
    expect(writerNamed(message, people)).toEqual({ digits: '628222', userId: undefined });
    expect(writerNamed(message, people.slice(0, 1))).toEqual({ digits: '628222', userId: undefined });
    expect(messageOf(message, { chat, contacts: people, now }).name).toBeUndefined();
    expect(writerNamed({ id: 'wamid.5' }, people)).toEqual({ digits: undefined, userId: undefined });
    expect(writerNamed({ id: 'wamid.5' }, people.slice(1))).toEqual({ digits: undefined, userId: 'ID.2' });
  });
});

describe('reactionOf', () => {
  it('names the message by the id it is given; without an emoji it was taken back', () => {
    const message: CloudMessage = { id: 'wamid.3', from: '628123456789', timestamp: '1795180010', reaction: {} };
    expect(reactionOf(message, 'OUR-ID', { chat, contacts, now })).toEqual({
      ...expected,
      id: 'wamid.3',
      target: 'OUR-ID',
      emoji: '',
    });
  });
});

describe('levelOf', () => {
  it('knows Meta’s levels; failed and what it adds tomorrow are none', () => {
    const levels = ['sent', 'delivered', 'read', 'played', 'failed', 'deleted'].map((status) =>
      levelOf({ id: 'wamid.1', status }),
    );
    expect(levels).toEqual(['sent', 'delivered', 'viewed', 'played', undefined, undefined]);
  });
});
