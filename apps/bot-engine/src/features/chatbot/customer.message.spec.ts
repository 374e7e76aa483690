import { conversationKey, customerMessage, customerOf } from './customer.message';

const BODY = { idUser: '6281234567890@s.whatsapp.net', idAgent: '3', idStore: '7', message: 'hai' };
const at = (now: number, more: object = {}, idempotencyKey?: string) =>
  customerMessage({ ...BODY, ...more }, { now, idempotencyKey });

it('a conversation key matches the documented test vector', () =>
  expect(conversationKey('7', '3', '6281234567890')).toBe('fe1f000490e917e3dc8ce0e39724efe0'));

it.each([
  ['6281@s.whatsapp.net', '6281'],
  ['6281@c.us', '6281'],
  ['6281', '6281'],
  ['99@lid', '99@lid'],
  ['1203@g.us', '1203@g.us'],
])('idUser %s is the customer %s', (idUser, customer) => expect(customerOf(idUser)).toBe(customer));

it('every field of a request is read', () =>
  expect(
    at(0, {
      idMessage: 'm1',
      instanceID: 'i',
      chatId: '7.c',
      team: '3',
      name: ` ${'n'.repeat(80)}`,
      images: ['http://x/1'],
    }),
  ).toEqual({
    storeId: '7',
    agentId: '3',
    customer: '6281234567890',
    isGroup: false,
    conversationKey: 'fe1f000490e917e3dc8ce0e39724efe0',
    messageId: 'm1',
    content: 'hai\n[pelanggan mengirim 1 gambar]',
    images: ['http://x/1'],
    customerName: 'n'.repeat(59),
    instanceId: 'i',
    chatId: '7.c',
    team: '3',
    history: [],
  }));

describe('the id of a message', () => {
  it('is idMessage, else the Idempotency-Key', () => {
    expect(at(0, { idMessage: 'm1' }, 'k1').messageId).toBe('m1');
    expect(at(0, {}, 'k1').messageId).toBe('k1');
    expect(at(0, {}, 'k'.repeat(200)).messageId).toMatch(/^[0-9a-f]{64}$/);
  });

  it('is derived from text, pictures and a window of ten seconds when neither is sent', () => {
    const { messageId } = at(20_000);
    expect(messageId).toMatch(/^[0-9a-f]{64}$/);
    expect(at(29_999).messageId).toBe(messageId);
    const others = [
      at(30_000),
      at(20_000, { message: 'lain' }),
      at(20_000, { images: ['http://x/1'] }),
      at(20_000, { idUser: '1' }),
    ];
    expect(new Set([messageId, ...others.map((each) => each.messageId)]).size).toBe(5);
  });
});

it('only the first four pictures of a message count', () =>
  expect(at(0, { images: Array.from({ length: 6 }, (_, n) => `https://x/${n}`) }).content).toBe(
    'hai\n[pelanggan mengirim 4 gambar]',
  ));

it('lines of history that are empty after cleaning are dropped', () =>
  expect(
    at(0, {
      history: [
        { role: 'user', content: '\u0000' },
        { role: 'assistant', content: 'baik\u0007' },
      ],
    }).history,
  ).toEqual([{ role: 'assistant', content: 'baik' }]));
