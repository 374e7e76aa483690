// chat-backend itself, as a process beside this service: texts that break other services arrive whole, or not at all.
import { useRunning } from '@platform/testing';
import { startFacesWorld, draftOf, TICKET, type FacesShop } from './faces-of-chat.fixture';

const world = useRunning(startFacesWorld);
const PHONE = '6281234567890';
const EMOJI = '\u{1f600}';

/** Texts for a field of so many characters. */
const textsFor = (max: number): readonly [string, string][] => [
  ['U+0000', 'a\u0000b'],
  ['nothing but U+0000', '\u0000'],
  ['a lone high surrogate', 'a\ud800b'],
  ['a lone low surrogate at the end', 'a\udc00'],
  ['an emoji as its last character', `${'a'.repeat(max - 1)}${EMOJI}`],
  ['an emoji one before its last character', `${'a'.repeat(max - 2)}${EMOJI}b`],
  ['an emoji across its limit', `${'a'.repeat(max)}${EMOJI}`],
  ['emoji alone, as many as fit', EMOJI.repeat(max)],
  ['emoji alone, as many as fit by their halves', EMOJI.repeat(Math.floor(max / 2))],
  ['64 KB', 'x'.repeat(65_536)],
  ['right to left', 'مرحبا \u202eevil\u202c עולם'],
  ['a family, joined', '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}'],
];

interface Field {
  readonly max: number;
  readonly ready: (shop: FacesShop) => Promise<string>;
  readonly body: (shop: FacesShop, text: string) => object;
  /** What of it is kept at chat-backend. */
  readonly kept: string;
}

const ticketOf = async ({ ask }: FacesShop) =>
  `/ticketing-feedback/${(await ask<{ id: string }>('POST', '/ticketing-feedback', TICKET)).body.data.id}/reply`;
const chatOf = async (shop: FacesShop) => `/livechat/conversations/${(await shop.written(PHONE, 'halo')).id}/messages`;
const OURS = 'SELECT pesan AS text FROM messages WHERE store_id = $1 AND from_me';

const FIELDS: Readonly<Record<string, Field>> = {
  'the subject of a ticket': {
    ...{ max: 150, ready: async () => '/ticketing-feedback', body: (_, subject) => ({ ...TICKET, subject }) },
    kept: 'SELECT judul AS text FROM tickets WHERE store_id = $1',
  },
  'the body of a ticket': {
    ...{ max: 5000, ready: async () => '/ticketing-feedback', body: (_, body) => ({ ...TICKET, body }) },
    kept: 'SELECT isi AS text FROM tickets WHERE store_id = $1',
  },
  'a reply to a ticket': {
    ...{ max: 4096, ready: ticketOf, body: (_, text) => ({ text }) },
    kept: 'SELECT pesan AS text FROM ticket_replies WHERE store_id = $1',
  },
  'a reply in a conversation': {
    ...{ max: 4096, ready: chatOf, body: (_, text) => ({ type: 'text', text }), kept: OURS },
  },
  'a message to somebody who has not written': {
    ...{ max: 4096, ready: async () => '/wa/send-message', kept: OURS },
    body: ({ deviceId: device_id }, text) => ({ device_id, to: PHONE, text }),
  },
  'the name of a broadcast': {
    ...{ max: 80, ready: async () => '/broadcast', body: (shop, name) => draftOf(shop, { name }) },
    kept: 'SELECT nama AS text FROM broadcasts WHERE store_id = $1',
  },
  'the text of a broadcast': {
    ...{ max: 4096, ready: async () => '/broadcast', body: (shop, text) => draftOf(shop, { message: { text } }) },
    kept: `SELECT body->'content'->>'text' AS text FROM broadcasts WHERE store_id = $1`,
  },
};

describe.each(Object.entries(FIELDS))('%s', (_, { max, ready, body, kept }) => {
  let shop: FacesShop;
  let path: string;
  beforeAll(async () => {
    shop = await world.store();
    path = await ready(shop);
  });
  const all = async () => ((await shop.there(kept)) as { text: string }[]).map(({ text }) => text);

  it.each(textsFor(max))('with %s is kept whole, or refused and not kept', async (_name, sent) => {
    // Half a character is what stands for one that is not known
    const text = Buffer.from(sent).toString();
    const before = await all();
    const { status, body: answer } = await shop.ask('POST', path, body(shop, sent));
    const now = await all();
    if (status < 300) {
      expect(now).toHaveLength(before.length + 1);
      expect(now.filter((each) => each === text).length).toBe(before.filter((each) => each === text).length + 1);
      return;
    }
    expect([[400, 413, 422].includes(status), answer.code]).toEqual([true, expect.any(String)]);
    expect(now).toEqual(before);
  });

  it('takes what fits, and says so of what does not', async () => {
    const answers = await Promise.all(
      [EMOJI.repeat(Math.floor(max / 2)), 'x'.repeat(65_536)].map((text) => shop.ask('POST', path, body(shop, text))),
    );
    expect(answers.map(({ status }) => status < 300)).toEqual([true, false]);
  });
});
