import { hostileTexts, textsIn, withText } from '@platform/testing';
import { until, useGateway } from '../../gateway.fixture';

const gateway = useGateway({ WEBHOOK_SEND_REACTIONS: 'true' });
beforeAll(() => gateway.client.link('toko-1'));
afterEach(() => gateway.receiver.reset());

const BUDI = '628123456789';
/** The longest that any field but the text takes. */
const SHORT = 30;
/** Only sockets hear of these. */
const NOTICES: ReadonlySet<string> = new Set(['revocation', 'vote']);

const messages: Readonly<Record<string, object>> = {
  text: { text: 'lihat https://toko.example' },
  reply: { text: 'itu', quoted_id: 'QUOTED' },
  edit: { text: 'maksud saya merah', edit_id: 'EARLIER' },
  revocation: { revoke_id: 'EARLIER' },
  location: { location: { latitude: 1, longitude: 2, name: 'Toko', address: 'Jl. 1' } },
  contact: { contact: { name: 'Sari', phone: '628120000009' } },
  poll: { poll: { name: 'Warna?', options: ['Hitam', 'Putih'] } },
  vote: { vote: { id: 'POLL', options: ['Hitam'] } },
  reaction: { reaction: { id: 'EARLIER', emoji: '👍' } },
  'message in a group': { text: 'halo semua', group: '120363000000000009' },
};

const post = (message: unknown) => gateway.client.post('/sim/messages', message);
const isTold = (id: string): boolean => gateway.receiver.messages().some(({ fields }) => fields.id === id);

it.each(Object.entries(messages))(
  'a customer’s %s with a hostile text at any place arrives or is refused at once, and the next arrives',
  async (name, message) => {
    const whole = { from: BUDI, to: 'toko-1', ...message };
    const accepted = new Map<string, string>();
    const broken: unknown[] = [];
    const texts = Object.entries(hostileTexts).flatMap(([named, hostile]) =>
      [SHORT, Infinity].map((most) => [named, hostile(most)] as const),
    );
    for (const [named, text] of texts)
      for (const at of textsIn(whole)) {
        const where = `${named} in ${at.join('.')}`;
        const { status, body } = await post(withText(whole, at, text));
        if (status === 200) accepted.set((body as { data: { id: string } }).data.id, where);
        else if (status >= 500) broken.push([where, status]);
      }
    expect(broken).toEqual([]);
    const { id } = await gateway.client.customer(BUDI, 'toko-1', 'berikutnya');
    await until(() => isTold(id), Boolean);
    await until(
      () => gateway.database.query(`SELECT id FROM sim_message WHERE direction = 'in' AND level = 0`),
      ({ length }) => length === 0,
    );
    const untold = () => [...accepted].filter(([sent]) => !isTold(sent)).map(([, where]) => where);
    if (!NOTICES.has(name)) await until(untold, ({ length }) => length === 0);
  },
);

it.each(Object.entries(hostileTexts))(
  'a file with %s as its name and caption is told with it, or refused at once',
  async (_, hostile) => {
    const body = new FormData();
    const fields = {
      from: BUDI,
      to: 'toko-1',
      text: hostile(65_536).slice(0, 65_536),
      filename: hostile(200).slice(0, 200),
    };
    for (const [name, value] of Object.entries(fields)) body.set(name, value);
    body.set('file', new Blob(['%PDF-1.7']), fields.filename);
    const { status, body: answer } = await gateway.client.get('/sim/messages', { method: 'POST', body });
    // What a form cannot hold is refused before anybody reads it
    if (status !== 200) return expect(status).toBe(400);
    const sent = (answer as { data: { id: string } }).data.id;
    await until(() => isTold(sent), Boolean);
    const told = gateway.receiver.messages().find(({ fields: { id } }) => id === sent);
    expect(told?.file?.bytes).toEqual(Buffer.from('%PDF-1.7'));
  },
);
