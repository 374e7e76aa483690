import { UpstreamFailed } from '@platform/errors';
import { startHttpServer, useRunning } from '@platform/testing';
import type { ShippingProvider } from '../features/shipping/port';
import { openShipping } from './ship-a';

/** What it answers, whatever it is asked. */
const told = { text: '', type: 'application/json', status: 200 };
const server = useRunning(() =>
  startHttpServer((_request, response) =>
    response.writeHead(told.status, { 'content-type': told.type }).end(told.text),
  ),
);
const says = (text: string, more: Partial<typeof told> = {}) =>
  Object.assign(told, { text, type: 'application/json', status: 200, ...more });

const DIALECTS = ['komerce', 'classic'] as const;
type Dialect = (typeof DIALECTS)[number];
const opened = async (dialect: Dialect, work: (provider: ShippingProvider) => Promise<void>) => {
  const settings = { APP_ENV: 'test', SHIP_A_KEY: 'k', SHIP_A_STORE_DAILY: 1_000 } as const;
  const open = openShipping({ ...settings, SHIP_A_DIALECT: dialect, SHIP_A_BASE_URL: server.url });
  await work(open.provider).finally(() => Promise.all(open.components.map((each) => each.stop?.())));
};
/** JSON as it is written there, so that numbers may be what no program would write. */
const wrapped = (dialect: Dialect, rows: string, member = 'results') =>
  dialect === 'komerce'
    ? `{"meta":{"code":200},"data":${rows}}`
    : `{"rajaongkir":{"status":{"code":200},"${member}":${rows}}}`;
/** One service at a price. */
const priced = (dialect: Dialect, cost: string, service = '"REG"') =>
  wrapped(
    dialect,
    dialect === 'komerce'
      ? `[{"code":"jne","service":${service},"description":"x","cost":${cost},"etd":"2-3 day"}]`
      : `[{"code":"jne","costs":[{"service":${service},"description":"x","cost":[{"value":${cost},"etd":"2-3"}]}]}]`,
  );
const ASKED = { space: 'search', origin: '1', destination: '2', weightG: 1_000, couriers: ['jne'] } as const;
const GOOD = { courier: 'jne', service: 'REG', description: 'x', cost: 9_000, etd: '2-3' };

describe.each(DIALECTS)('the provider that speaks %s', (dialect) => {
  it.each([
    ...['1e999', '-1e999', '-9000', '0', '9000.5', '1000000001', '1000000000000000', '99999999999999999999'],
    ...['null', 'true', '{}', '[]', '"-9000"', '"9e3"', '"abc"', '""', '"\\u0000"', '"Infinity"', '"0x10"'],
  ])('that takes %s for a parcel takes nothing that we know of', (cost) =>
    opened(dialect, async (provider) => {
      says(priced(dialect, cost));
      expect(await provider.prices(ASKED)).toEqual([]);
      says(priced(dialect, '9000'));
      expect(await provider.prices(ASKED)).toEqual([GOOD]);
    }),
  );

  it('that has U+0000, halves of pairs and too much in its names is understood without them', () =>
    opened(dialect, async (provider) => {
      says(priced(dialect, '9000', `"\\u0000RE\\ud800G\\u0000 ${'x'.repeat(500)}"`));
      const [price] = await provider.prices(ASKED);
      expect(price).toEqual({ ...GOOD, service: `REG ${'x'.repeat(56)}` });
      for (const service of ['{}', '["REG"]', 'null', '"\\u0000"', '""']) {
        says(priced(dialect, '9000', service));
        expect(await provider.prices(ASKED)).toEqual([]);
      }
    }));

  it('that names areas by what is no id, or with what is no name, has none', () =>
    opened(dialect, async (provider) => {
      const named = (id: string, name: string) =>
        dialect === 'komerce' ? `{"id":${id},"name":${name}}` : `{"province_id":${id},"province":${name}}`;
      const wrong = ['"../x"', '"a b"', `"${'1'.repeat(65)}"`, '1e999', '1.5', '{}', 'null', '"\\u0000"'].map((id) =>
        named(id, '"X"'),
      );
      const nameless = ['{}', '1e999', 'null', '"\\u0000"'].map((name) => named('7', name));
      says(wrapped(dialect, `[${[...wrong, ...nameless, '7', 'null', '[]', named('"7"', '"Bali\\u0000"')].join()}]`));
      expect(await provider.provinces()).toEqual([{ id: '7', name: 'Bali', postcode: null }]);
      says(wrapped(dialect, `[${Array.from({ length: 3_000 }, (_, at) => named(String(at), '"X"')).join()}]`));
      expect(await provider.provinces()).toHaveLength(2_000);
    }));

  it.each([
    ['HTML', '<html>down</html>', { type: 'text/html' }],
    ['nothing', '', {}],
    ['a list', '[]', {}],
    ['null', 'null', {}],
    ['half a document', '{"meta":{},"data":[', {}],
    ['a text where rows are', '{"meta":{},"data":"x","rajaongkir":{"results":"x","result":"x"}}', {}],
    ['more than is read', `{"meta":{},"data":[],"x":"${'x'.repeat(400_000)}"}`, {}],
    ['HTML and 404', '<html>no such page</html>', { status: 404 }],
    ['an address elsewhere', '', { status: 302 }],
    ['429', '{}', { status: 429 }],
  ])('that answers with %s has not answered', (_, text, more) =>
    opened(dialect, async (provider) => {
      says(text, more);
      const failed = expect.any(UpstreamFailed) as UpstreamFailed;
      await expect(provider.prices(ASKED)).rejects.toEqual(failed);
      await expect(provider.provinces()).rejects.toEqual(failed);
      await expect(provider.track({ courier: 'jne', waybill: 'X-12345' })).rejects.toEqual(failed);
    }),
  );

  it.each([
    [true, 'DELIVERED', 'DELIVERED', 'delivered plainly'],
    [true, 'Delivered', '', 'delivered plainly'],
    [true, '', 'TERKIRIM', 'delivered plainly'],
    [true, 'RETURN TO SHIPPER', 'DELIVERED', 'returned'],
    [true, 'RETURN DELIVERED', '', 'returned'],
    [true, 'DELIVERED', 'RETURNED TO SHIPPER', 'returned'],
    [true, 'DELIVERED', 'RETUR', 'returned'],
    [true, 'DELIVERED', 'RTS', 'delivered'],
    [true, 'DELIVERED TO SENDER', '', 'delivered'],
    [true, 'UNDELIVERED', 'UNDELIVERED', 'delivered'],
    [false, 'RETURNED', '', 'returned'],
    [false, 'ON PROCESS', 'RETURNED', 'returned'],
    [false, 'RETURN TO SHIPPER', '', 'on its way'],
    [false, 'DELIVERED', 'DELIVERED', 'on its way'],
  ])('that says %s, %s and %s tells of a parcel that is %s', (isThere, summary, pod, is) =>
    opened(dialect, async (provider) => {
      const said = { delivered: isThere, summary: { status: summary }, delivery_status: { status: pod } };
      says(wrapped(dialect, JSON.stringify({ ...said, manifest: [] }), 'result'));
      const { delivered, returned, plain } = (await provider.track({ courier: 'jne', waybill: 'X-12345' })) ?? {};
      expect({ delivered, returned, plain }).toEqual({
        ...{ delivered: is.startsWith('delivered'), returned: is === 'returned', plain: is === 'delivered plainly' },
      });
    }),
  );

  it('that tells of parcels what cannot be is believed in what can', () =>
    opened(dialect, async (provider) => {
      const track = () => provider.track({ courier: 'jne', waybill: 'X-12345' });
      const parcel = (delivered: string, manifest: string, status = '"DELIVERED"') =>
        says(
          wrapped(
            dialect,
            `{"delivered":${delivered},"summary":{"status":${status}},"delivery_status":{"pod_receiver":"BU\\u0000DI","pod_date":"0000-01-01","pod_time":"08:00"},"manifest":${manifest}}`,
            'result',
          ),
        );
      for (const [delivered, manifest, status] of [
        ['"yes"', '[]', '"X"'],
        ['1', '[]', '"X"'],
        ['true', '{}', '"X"'],
        ['true', '[]', '{}'],
      ] as const) {
        parcel(delivered, manifest, status);
        await expect(track()).rejects.toBeInstanceOf(UpstreamFailed);
      }
      const line = (date: string, text = '"Sampai\\u0000"') =>
        `{"manifest_date":${date},"manifest_time":"08:00","manifest_code":"1","manifest_description":${text},"city_name":{}}`;
      const dates = ['"0000-01-01"', '"9999-12-31"', '"2026-13-45"', '"2026-02-30x"', '1e999', 'null', '"2026-03-01"'];
      parcel('true', `[${['null', '7', ...dates.map((date) => line(date))].join()}]`);
      const heard = { at: '2026-03-01T01:00:00.000Z', code: '1', text: 'Sampai', place: null };
      expect(await track()).toEqual({
        ...{
          status: 'DELIVERED',
          delivered: true,
          returned: false,
          plain: true,
          receivedBy: 'BU DI',
          receivedAt: null,
        },
        events: [heard],
      });
      parcel(
        'false',
        `[${Array.from({ length: 900 }, (_, at) => line('"2026-03-01"', `"${at}"`)).join()}]`,
        '"ON PROCESS"',
      );
      expect((await track())?.events).toHaveLength(200);
    }));
});
