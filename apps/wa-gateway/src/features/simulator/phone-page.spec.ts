import { useGateway, until } from '../../gateway.fixture';

const BUDI = '628123456789';
const gateway = useGateway();

interface Chat {
  composing: boolean;
  messages: { id: string; mine: boolean; kind: string; text: string | null; file: string | null; status: string }[];
}
const chat = () => gateway.client.data<Chat>(gateway.client.get(`/sim/chat?nohp=${BUDI}&instanceID=dev1`));

describe('the page at /sim', () => {
  it('is one file that needs nothing from elsewhere and fits a phone', async () => {
    const answer = await fetch(`${gateway.client.url}/sim`);
    const html = await answer.text();
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(html).toContain('<meta name="viewport" content="width=device-width, initial-scale=1">');
    expect(html).not.toMatch(/(?:src|href)="(?!data:)|https?:\/\/|import\(|@import|url\(/);
    expect(html).not.toContain('innerHTML');
  });

  it('finds every element its script asks for, and calls only routes that exist', async () => {
    const html = await (await fetch(`${gateway.client.url}/sim`)).text();
    const asked = new Set([...html.matchAll(/\$\('(\w+)'\)/g)].map(([, id]) => id));
    const there = new Set([...html.matchAll(/ id="([\w-]+)"/g)].map(([, id]) => id));
    expect([...asked].filter((id) => !there.has(id))).toEqual([]);
    const called = new Set([...html.matchAll(/call\('([^'?]+)/g)].map(([, path]) => path ?? ''));
    const routes = new Set(gateway.app.service.endpoints.map(({ path }) => path));
    expect(called.size).toBeGreaterThan(6);
    expect([...called].filter((path) => !routes.has(path))).toEqual([]);
  });

  it('gets what it shows: devices, both sides of a chat, and ticks', async () => {
    const { client, receiver } = gateway;
    await client.link('dev1');
    expect(await client.get('/sim/devices')).toEqual({
      status: 200,
      body: {
        success: true,
        message: 'devices',
        data: { devices: [{ instanceID: 'dev1', status: 'connected', number: '628110000001@s.whatsapp.net' }] },
      },
    });
    const { id: asked } = await client.customer(BUDI, 'dev1', 'ada stok?');
    await until(
      () => receiver.messages().length,
      (count) => count === 1,
    );
    await client.send('S-1', BUDI, 'Ada, kak');
    await until(
      () => client.shows(BUDI),
      (shown) => shown.length === 1,
    );
    await client.data(client.post('/sim/messages', { from: BUDI, to: 'dev1', reaction: { id: asked, emoji: '👍' } }));
    await client.data(
      client.post('/sim/messages', {
        from: BUDI,
        to: 'dev1',
        location: { latitude: -6.2, longitude: 106.8, name: 'Rumah' },
      }),
    );
    const lines = await until(
      async () => (await chat()).messages,
      (messages) => messages.length === 4 && messages.every(({ status }) => status === 'delivered'),
    );
    expect(lines.map(({ mine, kind, text }) => [mine, kind, text])).toEqual([
      [true, 'text', 'ada stok?'],
      [false, 'text', 'Ada, kak'],
      [true, 'reaction', '👍'],
      [true, 'location', 'Rumah · -6.2, 106.8'],
    ]);
    await client.data(client.post('/sim/read', { nohp: BUDI }));
    await client.data(client.post('/api/mark-read', { number: BUDI }));
    expect((await chat()).messages.map(({ status }) => status)).toEqual(['viewed', 'viewed', 'delivered', 'viewed']);
  });
});
