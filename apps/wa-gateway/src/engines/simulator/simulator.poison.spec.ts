import { until, useGateway } from '../../gateway.fixture';

const gateway = useGateway();
beforeAll(() => gateway.client.link('toko-1'));

const BUDI = '628123456789';

/** What a customer's phone can send, the words in every text. */
const everyType = (words: string): readonly object[] => [
  { text: words },
  { text: words, quoted_id: words.slice(0, 128) },
  { text: words, edit_id: words.slice(0, 128) },
  { revoke_id: words.slice(0, 128) },
  { location: { latitude: 1, longitude: 2, name: words.slice(0, 256), address: words.slice(0, 256) } },
  { contact: { name: words.slice(0, 100), phone: '628110000009' } },
  { poll: { name: words.slice(0, 255), options: [words.slice(0, 100), 'b'] } },
  { vote: { id: words.slice(0, 128), options: [words.slice(0, 100)] } },
  { reaction: { id: words.slice(0, 128), emoji: words.slice(0, 32) } },
];

it.each([
  ['U+0000', 'a\0b'],
  ['halves of pairs', 'a\ud800b\udfff'],
  ['text from right to left', '\u202eשלום'],
  ['64 KB and an emoji where it is cut', `${'x'.repeat(65_534)}😀`],
])(
  'what a customer sends with %s in every text arrives or is refused at once, and the next arrives',
  async (_, words) => {
    const accepted: string[] = [];
    for (const message of everyType(words)) {
      const { status, body } = await gateway.client.post('/sim/messages', { from: BUDI, to: 'toko-1', ...message });
      expect([200, 422]).toContain(status);
      if (status === 200) accepted.push((body as { data: { id: string } }).data.id);
    }
    const { id } = await gateway.client.customer(BUDI, 'toko-1', 'berikutnya');
    await until(
      () => gateway.receiver.messages().map(({ fields }) => fields.id),
      (ids) => ids.includes(id),
    );
    const waiting = await gateway.database.query(
      `SELECT id FROM sim_message WHERE direction = 'in' AND level = 0 AND id = ANY ($1)`,
      [accepted],
    );
    expect(waiting).toEqual([]);
  },
);
