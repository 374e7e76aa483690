import { customerMessage, customerOf, inOrder } from './customer.message';

const BODY = { idUser: '6281234567890@s.whatsapp.net', idAgent: '3', idStore: '7', message: 'hai' };
const at = (now: number, more: object = {}, idempotencyKey?: string) =>
  customerMessage({ ...BODY, ...more }, { now, idempotencyKey });

it.each([
  ['6281@s.whatsapp.net', '6281'],
  ['6281@c.us', '6281'],
  ['6281', '6281'],
  ['99@lid', '99@lid'],
  ['1203@g.us', '1203@g.us'],
])('idUser %s is the customer %s', (idUser, customer) => expect(customerOf(idUser)).toBe(customer));

it('every field of a request is read', () =>
  expect(
    at(5, {
      ...{
        idMessage: 'm1',
        instanceID: 'i',
        chatId: '7.c',
        team: '3',
        episode: 2,
        escalate: 'finished',
        seq: 9,
        timestamp: 8,
      },
      name: ` ${'n'.repeat(80)}`,
      images: ['http://x/1'],
      audio: ['http://x/a', 'ftp://x/b'],
      since: [{ role: 'team', content: ' halo\u0007 ', seq: 4 }],
      history: [{ role: 'user', content: 'dulu' }],
    }),
  ).toEqual({
    storeId: '7',
    agentId: '3',
    customer: '6281234567890',
    isGroup: false,
    conversationKey: 'fe1f000490e917e3dc8ce0e39724efe0',
    mailboxKey: expect.not.stringMatching('fe1f000490e917e3dc8ce0e39724efe0'),
    messageId: 'm1',
    text: 'hai',
    images: ['http://x/1'],
    audio: ['http://x/a'],
    customerName: 'n'.repeat(59),
    instanceId: 'i',
    chatId: '7.c',
    team: '3',
    episode: 2,
    escalate: 'finished',
    seq: 9,
    timestamp: 8,
    receivedAt: 5,
    since: [{ role: 'team', content: 'halo', seq: 4 }],
    history: [{ role: 'user', content: 'dulu' }],
  }));

describe('a label in place of words', () => {
  it.each([
    ['[gambar]', { images: ['http://x/1'] }, ''],
    ['[audio]', { audio: ['http://x/1'] }, ''],
    ['[gambar]', {}, '[gambar]'],
    ['[gambar]', { audio: ['http://x/1'] }, '[gambar]'],
    ['[gambar] ini kak', { images: ['http://x/1'] }, '[gambar] ini kak'],
  ])('%s with %j is read as %j', (message, files, text) => expect(at(0, { message, ...files }).text).toBe(text));

  it('is no reason to refuse what holds nothing else', () => {
    expect(() => at(0, { message: '', audio: ['x'] })).toThrow('message');
    expect(at(0, { message: '', audio: ['http://x/1'] }).audio).toEqual(['http://x/1']);
  });
});

describe('texts that are too long', () => {
  it('are cut, at whole characters', () => {
    expect(at(0, { message: '😀'.repeat(5000) }).text).toBe('😀'.repeat(4000));
    const since = Array.from({ length: 25 }, (_, n) => ({
      role: 'auto' as const,
      content: `${n} ${'x'.repeat(2000)}`,
    }));
    const read = at(0, { since }).since;
    expect([read.length, read[0]?.content.length, read[0]?.content.slice(0, 3)]).toEqual([20, 1000, '5 x']);
  });
});

describe('a burst', () => {
  const said = (...places: { seq?: number; timestamp?: number }[]) =>
    inOrder(places.map((place, n) => at(0, { ...place, idMessage: `m${n}` }))).map(({ messageId }) => messageId);

  it('has the order of its chat where every message tells its place, else that of time, else of arrival', () => {
    expect(said({ seq: 3, timestamp: 1 }, { seq: 1, timestamp: 1 }, { seq: 2, timestamp: 1 })).toEqual([
      'm1',
      'm2',
      'm0',
    ]);
    expect(said({ seq: 3, timestamp: 5 }, { timestamp: 4 }, { seq: 1, timestamp: 4 })).toEqual(['m1', 'm2', 'm0']);
    expect(said({ timestamp: 5 }, { seq: 4 }, { timestamp: 3 })).toEqual(['m0', 'm1', 'm2']);
  });
});

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

it('only the first four pictures and two recordings of a message count', () => {
  const six = Array.from({ length: 6 }, (_, n) => `https://x/${n}`);
  const { images, audio } = at(0, { images: six, audio: six });
  expect([images, audio]).toEqual([six.slice(0, 4), six.slice(0, 2)]);
});

it('lines of history that are empty after cleaning are dropped', () =>
  expect(
    at(0, {
      history: [
        { role: 'user', content: '\u0000' },
        { role: 'assistant', content: 'baik\u0007' },
      ],
    }).history,
  ).toEqual([{ role: 'assistant', content: 'baik' }]));
