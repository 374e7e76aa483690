import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { until } from '@platform/testing';
import { FakeBot } from '../../clients/bot.fake';
import { CONTENT, startCampaigns, type CampaignTest } from '../broadcasts/broadcasts.fixture';

const REF = { nohp: '628133000001', instance: 'dev1', team: '3' };
const JPEG = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.from('a picture')]);

let chat: CampaignTest;
/** Plays the gateway and commerce-api, which both serve files beside routes that are private. */
let sibling: Server;
let url: string;
const asked: string[] = [];
const bot = new FakeBot();
beforeAll(async () => {
  sibling = createServer((request, response) => {
    asked.push(request.url ?? '');
    if (request.url === '/files/turns.jpg') response.writeHead(302, { location: '/api/device-info' }).end();
    else response.end(/^\/(files|blob)\/[a-z]+\.jpg$/.test(request.url ?? '') ? JPEG : '{"devices":["628110000001"]}');
  });
  await new Promise<void>((resolve) => sibling.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(sibling.address() as AddressInfo).port}`;
  chat = await startCampaigns({ bot, environment: { WA_GATEWAY_URL: url, COMMERCE_URL: url, DEVICE_POLL_S: '0' } });
  await chat.database.query(`UPDATE devices SET bot_agent_id = 'A1' WHERE instance = 'dev1'`);
  await chat.inbound({ number: `${REF.nohp}@s.whatsapp.net` });
});
beforeEach(() => (asked.length = 0));
afterAll(async () => {
  await chat.stop();
  sibling.close();
});

const refused = { errors: [{ field: 'url', tag: 'url', message: 'url must be an https address that is not private' }] };

describe('an address that a client gives', () => {
  it.each(['/api/device-info', '/metrics', '/files/a.jpg', '/blob/a.jpg'])(
    'is never one of our own services: %s',
    async (path) => {
      const file = { url: url + path, filename: 'a.txt' };
      expect(await chat.post('/v1/send_document', { ...REF, ...file })).toMatchObject({ status: 422, body: refused });
      const campaign = { ...CONTENT, type: 'document', ...file, penerima: [{ nohp: REF.nohp }] };
      expect(await chat.send('/v1/send_broadcast', campaign)).toMatchObject({ status: 422, body: refused });
      expect(asked).toEqual([]);
    },
  );
});

describe('a file that did not come with its message', () => {
  const receive = (id: string, fileUrl: string) =>
    chat.inbound({ id, type: 'image', text: '', rawMessage: JSON.stringify({ fileUrl }) });
  const mediaOf = async (id: string) =>
    (await chat.database.query<{ media: object | null }>('SELECT media FROM messages WHERE pesan_id = $1', [id]))[0]
      ?.media;
  const refusals = () => chat.log.filter((line) => line.includes('cannot be copied')).length;

  it('is copied from the files of the gateway', async () => {
    await receive('FILE', '/files/a.jpg');
    expect(await until(async () => (await mediaOf('FILE')) ?? undefined)).toMatchObject({ mimetype: 'image/jpeg' });
  });

  it.each([
    ['/metrics'],
    ['/files/../metrics'],
    ['/files/%2e%2e/metrics'],
    ['/files/..%2fmetrics'],
    ['/files/..%5cmetrics'],
    ['//127.0.0.1/metrics'],
    ['/blob/a.jpg?/files/'],
  ])('is not copied from %s', async (path) => {
    const before = refusals();
    await receive(`AWAY ${path}`, path);
    await until(() => refusals() > before || undefined);
    expect([await mediaOf(`AWAY ${path}`), asked]).toEqual([null, []]);
  });

  it('is not copied from where its address redirects to', async () => {
    const before = refusals();
    await receive('TURNS', '/files/turns.jpg');
    await until(() => refusals() > before || undefined);
    expect([await mediaOf('TURNS'), asked]).toEqual([null, ['/files/turns.jpg']]);
  });
});

describe('a picture of the bot', () => {
  it.each([
    ['/blob/a.jpg', 'image', 'image/jpeg'],
    ['/api/device-info', 'chat', null],
  ])('at %s goes as %s', async (path, type, mimetype) => {
    const number = `62813310000${path.length}`;
    bot.next.length = 0;
    bot.next.push(() => ({ kind: 'answered', bubbles: [{ id: `B${path.length}`, picture: url + path }] }));
    await chat.inbound({ number: `${number}@s.whatsapp.net`, text: 'ada gambar?' });
    const sent = await until(async () => {
      const [row] = await chat.database.query<{ type: string; mimetype: string | null }>(
        `SELECT type, media->>'mimetype' AS mimetype FROM messages WHERE pesan_id = $1`,
        [`B${path.length}`],
      );
      return row;
    });
    expect(sent).toEqual({ type, mimetype });
  });
});
