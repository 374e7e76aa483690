import { request } from 'node:http';
import { uuidv7 } from '@platform/runtime';
import { useRunning } from '@platform/testing';
import { NOW, startCommerce } from '../../../commerce.fixture';
import { startSecondProcess } from '../../../second-process.fixture';
import { pageOf, PDF } from '../digital.fixture';
import { buyersOf, fileOf, noDownload } from './bought.fixture';

const LINKS = { PAY_LINK_SECRET: 'a secret of links', TRUST_PROXY: '127.0.0.1' };
const commerce = useRunning(() => startCommerce(LINKS));
const { fetched, asked, bought, observed, goTo } = buyersOf(commerce);
afterEach(() => goTo(NOW));

describe('a download', () => {
  it('leads to the file for a minute, whole and in parts, and is counted once', async () => {
    const { shop, order, links } = await bought();
    const [link = ''] = links;
    const answer = await fetched(link);
    expect([answer.status, answer.headers.get('cache-control'), answer.headers.get('referrer-policy')]).toEqual([
      ...[302, 'private, no-store', 'no-referrer'],
    ]);
    const file = fileOf(answer);
    const whole = await fetched(file);
    expect([whole.status, Buffer.from(await whole.arrayBuffer()), whole.headers.get('content-disposition')]).toEqual([
      ...[200, PDF, `attachment; filename="buku 0.pdf"; filename*=UTF-8''buku%200.pdf`],
    ]);
    const part = await fetched(file, { headers: { range: 'bytes=4-' } });
    expect([part.status, Buffer.from(await part.arrayBuffer())]).toEqual([206, PDF.subarray(4)]);
    const head = await fetched(file, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(PDF.length)]);
    expect((await shop.deliveries(order)).map(({ downloads }) => downloads)).toEqual([1]);
    goTo('2026-03-01T08:01:00.000Z');
    expect(await asked(file)).toEqual(noDownload.expired);
  });

  it('that is only looked at is not counted, and says what it would be', async () => {
    const { shop, order, links } = await bought({ delivery: { max_downloads: 1 } });
    const [link = ''] = links;
    const look = async () => (await fetched(link, { method: 'HEAD' })).status;
    expect([await look(), await look()]).toEqual([200, 200]);
    expect((await shop.deliveries(order)).map(({ downloads }) => downloads)).toEqual([0]);
    expect([(await fetched(link)).status, await look()]).toEqual([302, 410]);
  });

  it('after the last is refused, and so is one after its time', async () => {
    const { links } = await bought({ delivery: { max_downloads: 2, valid_days: 1 } });
    const [link = ''] = links;
    expect([(await fetched(link)).status, (await fetched(link)).status]).toEqual([302, 302]);
    expect(await asked(link)).toEqual(noDownload.limit);
    const person = await fetched(link, { headers: { accept: 'text/html,*/*' } });
    expect([person.status, person.headers.get('location')]).toEqual([303, pageOf(link)]);
    const program = { headers: { accept: 'text/html;q=0, application/json' } };
    const refusals = [await fetched(link, program), await fetched(link, { method: 'HEAD' })];
    expect(refusals.map(({ status, headers }) => [status, headers.get('cache-control')])).toEqual([
      ...[
        [410, 'no-store'],
        [410, 'no-store'],
      ],
    ]);
    const other = await bought({ delivery: { valid_days: 1 } });
    goTo('2026-03-02T08:00:00.000Z');
    expect(await asked(other.links[0] ?? '')).toEqual(noDownload.expired);
  });

  it('of which 20 are begun at once on two processes with five left: five', async () => {
    const { shop, order, links } = await bought({ delivery: { max_downloads: 7 } });
    const [link = ''] = links;
    await commerce.database.query(`UPDATE digital_delivery SET expires_at = '2100-01-01' WHERE store_id = $1`, [
      shop.storeId,
    ]);
    await fetched(link);
    await fetched(link);
    const env = {
      ...LINKS,
      MEDIA_DIR: commerce.mediaDir,
      PUBLIC_URL: 'https://shop.example',
      TRUST_PROXY: '127.0.0.1',
    };
    const second = await startSecondProcess(commerce, env);
    try {
      const urls = Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? commerce.url : second.url));
      const answers = await Promise.all(urls.map((url) => fetched(link, {}, url)));
      expect(answers.filter(({ status }) => status === 302)).toHaveLength(5);
      const refusals = answers.filter(({ status }) => status !== 302);
      const bodies = await Promise.all(refusals.map(async (one) => ({ status: one.status, body: await one.json() })));
      expect(bodies).toEqual(Array(15).fill(noDownload.limit));
    } finally {
      await second.stop();
    }
    expect((await shop.deliveries(order)).map(({ downloads }) => downloads)).toEqual([7]);
  });

  it('by what is no link of ours, or is one of a suspended store, is not there', async () => {
    const { shop, links } = await bought();
    const [link = ''] = links;
    const token = link.split('/').at(-1) ?? '';
    const [store = '', id = '', secret = ''] = token.split('.');
    const forged = [
      'x',
      `${store}.${id}.${'A'.repeat(43)}`,
      `${store}.${uuidv7()}.${secret}`,
      `${uuidv7()}.${id}.${secret}`,
      `${token}x`,
      'a'.repeat(5_000),
      '%F0%9F%98%80',
    ];
    for (const each of forged) expect(await asked(`/api/digital-store/download/${each}`)).toEqual(noDownload.unknown);
    await commerce.database.query(`UPDATE store SET status = 'suspended' WHERE store_id = $1`, [shop.storeId]);
    expect(await asked(link)).toEqual(noDownload.unknown);
  });

  it('that its client gives up in the middle is counted, and goes on under the address that it had', async () => {
    const { shop, order, links } = await bought({ delivery: { max_downloads: 1 } });
    const file = fileOf(await fetched(links[0] ?? ''));
    await new Promise<void>((resolve) => {
      const going = request(commerce.url + file, (answer) => answer.once('data', () => going.destroy()));
      going.once('close', resolve).once('error', () => undefined);
      going.end();
    });
    const rest = await fetched(file, { headers: { range: 'bytes=100-' } });
    expect([rest.status, Buffer.from(await rest.arrayBuffer())]).toEqual([206, PDF.subarray(100)]);
    expect((await shop.deliveries(order)).map(({ downloads }) => downloads)).toEqual([1]);
  });

  it('of a file that was removed from the product goes on for who has bought it', async () => {
    const { shop, links } = await bought();
    const path = `/digital-store/${shop.product.id}`;
    const { files } = (await shop.ask<typeof shop.product>('GET', path)).body.data;
    await shop.ask('DELETE', `${path}/files/${files[0]?.id}`);
    expect((await shop.ask<typeof shop.product>('GET', path)).body.data.files).toEqual([]);
    const file = await fetched(fileOf(await fetched(links[0] ?? '')));
    expect(Buffer.from(await file.arrayBuffer())).toEqual(PDF);
    const next = (await shop.order()).body.data;
    await shop.pay(next);
    await observed();
    expect(await shop.deliveries(next)).toEqual([]);
  });
});
