import { createHash } from 'node:crypto';
import type { HttpClient } from '@platform/http';
import { defaultPixel, startGraphSandbox } from '@platform/testing/graph';
import { loadConfig } from '@platform/runtime';
import { useRunning } from '@platform/testing';
import { hashedFor } from './pixel.hashes';
import { metaPixel } from './pixel.meta';
import type { PixelFact, PixelKind, PixelNetwork } from './pixel.port';
import { pixelSettings } from './pixel.settings';
import { GOOGLE, startGoogle, startTiktok, TIKTOK } from './pixel.standins.fixture';
import { openPixels } from './pixels';

const graph = useRunning(async () => {
  const sandbox = await startGraphSandbox({ port: 0 });
  return Object.assign(sandbox, { stop: () => sandbox.close() });
});
const tiktok = useRunning(startTiktok);
const google = useRunning(startGoogle);

const opened = useRunning(async () => {
  const urls = { PIXEL_META_URL: graph.url, PIXEL_TIKTOK_URL: tiktok.url, PIXEL_GOOGLE_URL: google.url };
  const pixels = openPixels(loadConfig(pixelSettings, urls));
  return { ...pixels, stop: async () => void (await Promise.all(pixels.components.map((each) => each.stop?.()))) };
});
const network = (kind: PixelKind): PixelNetwork => opened.networks[kind] as PixelNetwork;

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const buyer = { email: ' Budi.Santoso@GMail.com ', phone: '6281234567890' };
const META = { ref: defaultPixel.id, token: defaultPixel.token };
const targets = { meta: META, tiktok: TIKTOK, google: GOOGLE };

const factFor = (kind: PixelKind): PixelFact => ({
  ...{ name: 'Purchase', eventId: 'e-1', at: new Date().toISOString(), ...hashedFor(kind, buyer) },
  ...{ url: 'https://toko.example/thanks', userAgent: 'a browser' },
  order: { number: 'INV-1', value: 20_000, currency: 'IDR', items: [{ id: 'HAT-0', quantity: 2, price: 10_000 }] },
});

it.each<[PixelKind, string, string]>([
  ['meta', 'budi.santoso@gmail.com', '6281234567890'],
  ['tiktok', 'budi.santoso@gmail.com', '+6281234567890'],
  ['google', 'budisantoso@gmail.com', '+6281234567890'],
])('%s is told a person by hashes as it normalises them', (kind, email, phone) => {
  expect(hashedFor(kind, buyer)).toEqual({ email: sha256(email), phone: sha256(phone) });
  expect(hashedFor(kind, { email: null, phone: undefined })).toEqual({});
});

describe('a purchase', () => {
  it('reaches Meta as its Conversions API documents it', async () => {
    const fact = factFor('meta');
    expect(await network('meta').send({ ...META, testCode: 'TEST1' }, fact)).toMatchObject({ fate: 'taken' });
    expect(graph.pixels.received.at(-1)).toEqual({
      pixel: META.ref,
      test_event_code: 'TEST1',
      event: {
        ...{ event_name: 'Purchase', event_id: 'e-1', event_time: Math.floor(Date.parse(fact.at) / 1000) },
        ...{ action_source: 'website', event_source_url: 'https://toko.example/thanks' },
        user_data: { em: [fact.email], ph: [fact.phone], client_user_agent: 'a browser', external_id: ['e-1'] },
        custom_data: {
          ...{ currency: 'IDR', value: 20_000, order_id: 'INV-1', content_type: 'product' },
          contents: [{ id: 'HAT-0', quantity: 2, item_price: 10_000 }],
        },
      },
    });
  });

  it('reaches TikTok as its Events API documents it', async () => {
    const fact = factFor('tiktok');
    expect(await network('tiktok').send({ ...TIKTOK, testCode: 'TEST1' }, fact)).toMatchObject({ fate: 'taken' });
    expect(tiktok.received.at(-1)?.body).toEqual({
      ...{ event_source: 'web', event_source_id: TIKTOK.ref, test_event_code: 'TEST1' },
      data: [
        {
          ...{ event: 'Purchase', event_id: 'e-1', event_time: Math.floor(Date.parse(fact.at) / 1000) },
          user: { email: fact.email, phone: fact.phone, user_agent: 'a browser' },
          page: { url: 'https://toko.example/thanks' },
          properties: {
            ...{ currency: 'IDR', value: 20_000, order_id: 'INV-1', content_type: 'product' },
            contents: [{ content_id: 'HAT-0', quantity: 2, price: 10_000 }],
          },
        },
      ],
    });
  });

  it('reaches Google as its Measurement Protocol documents it', async () => {
    const fact = factFor('google');
    expect(await network('google').send(GOOGLE, fact)).toEqual({ fate: 'taken', answer: '204' });
    expect(google.received.at(-1)).toEqual({
      path: `/mp/collect?measurement_id=${GOOGLE.ref}&api_secret=${GOOGLE.token}`,
      body: {
        ...{ client_id: 'e-1', timestamp_micros: Date.parse(fact.at) * 1000, user_id: fact.phone },
        user_data: { sha256_email_address: [fact.email], sha256_phone_number: [fact.phone] },
        events: [
          {
            name: 'purchase',
            params: {
              ...{ transaction_id: 'e-1', currency: 'IDR', value: 20_000 },
              items: [{ item_id: 'HAT-0', quantity: 2, price: 10_000 }],
            },
          },
        ],
      },
    });
  });
});

describe.each<PixelKind>(['meta', 'tiktok'])('%s', (kind) => {
  it('refuses a token that it does not know, for good', async () => {
    const told = await network(kind).send({ ...targets[kind], token: 'wrong' }, factFor(kind));
    expect(told).toEqual({ fate: 'refused', answer: expect.stringMatching(/190|40105/) });
    expect(told.answer).not.toContain('wrong');
  });

  it.each([500, 429])('that answers %d is asked again', async (status) => {
    if (kind === 'meta') graph.pixels.faults.push({ status, code: 2 });
    else tiktok.failOnce(status);
    expect(await network(kind).send(targets[kind], factFor(kind))).toMatchObject({ fate: 'later' });
  });
});

it('Meta that is over its limit is asked again', async () => {
  graph.pixels.faults.push({ status: 400, code: 17 });
  expect(await network('meta').send(META, factFor('meta'))).toMatchObject({ fate: 'later' });
});

it.each([
  ['a limit that passes', 400, '{"error":{"code":80014,"is_transient":true}}', 'later'],
  ['a page of whoever stands before it', 403, '<html>Forbidden</html>', 'later'],
  ['a refusal', 400, '{"error":{"code":100,"is_transient":false}}', 'refused'],
])('Meta that answers with %s is asked again unless it has refused for good', async (_, status, text, fate) => {
  const answer = {
    status,
    headers: {},
    text,
    json: () => (text.startsWith('{') ? (JSON.parse(text) as object) : undefined),
  };
  const meta = metaPixel({ call: () => Promise.resolve(answer) } as unknown as HttpClient);
  expect(await meta.send(META, factFor('meta'))).toMatchObject({ fate });
});

it('Google tells of a test what is wrong with it', async () => {
  const test: PixelFact = { name: 'TestEvent', eventId: 't-1', at: new Date().toISOString() };
  expect(await network('google').send(GOOGLE, test)).toMatchObject({ fate: 'taken' });
  const wrong = await network('google').send({ ...GOOGLE, token: 'wrong' }, test);
  expect(wrong).toEqual({ fate: 'refused', answer: expect.stringContaining('VALUE_INVALID') });
});

it('a network without an address is none, and one that is away answers later', async () => {
  const { networks } = openPixels(loadConfig(pixelSettings, { PIXEL_META_URL: 'http://127.0.0.1:1' }));
  expect(Object.keys(networks)).toEqual(['meta']);
  expect(await networks.meta?.send(META, factFor('meta'))).toEqual({ fate: 'later', answer: 'meta did not answer' });
});
