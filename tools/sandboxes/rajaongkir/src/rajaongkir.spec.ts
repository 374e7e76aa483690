import { startRajaOngkirSandbox, type RajaOngkirSandbox } from './index';

let sandbox: RajaOngkirSandbox;
beforeEach(async () => {
  sandbox = await startRajaOngkirSandbox({ port: 0, keys: ['k'], dailyQuota: 20 });
});
afterEach(() => sandbox.close());

const asked = async (path: string, fields?: Record<string, string>, key = 'k') => {
  const form = fields && { method: 'POST', body: new URLSearchParams(fields) };
  const answer = await fetch(sandbox.url + path, { ...form, headers: { key } });
  return [answer.status, await answer.json()] as const;
};
const meta = (code: number, message: string, status: string) => ({ message, code, status });
const good = (data: unknown) => [200, { meta: meta(200, 'Success', 'success'), data }];
const classic = (more: object) => [200, { rajaongkir: { status: { code: 200, description: 'OK' }, ...more } }];

describe('the dialect of Komerce', () => {
  it('lists places in numbers of their own, which the search does not share', async () => {
    expect(await asked('/api/v1/destination/city/1')).toEqual(
      good([
        { id: 101, name: 'Bandung' },
        { id: 102, name: 'Cimahi' },
      ]),
    );
    expect(await asked('/api/v1/destination/district/102')).toEqual(
      good([{ id: 1004, name: 'Cimahi Utara', zip_code: '40513' }]),
    );
    expect(await asked('/api/v1/destination/domestic-destination?search=cimahi&limit=5&offset=0')).toEqual(
      good([
        {
          ...{ id: 50_004, label: 'CIBABAT, CIMAHI UTARA, CIMAHI, JAWA BARAT, 40513', province_name: 'Jawa Barat' },
          ...{ city_name: 'Cimahi', district_name: 'Cimahi Utara', subdistrict_name: 'Cibabat', zip_code: '40513' },
        },
      ]),
    );
  });

  it('tells prices of either space, and of numbers of the other one nothing', async () => {
    const between = (origin: string, destination: string) => ({ origin, destination, weight: '1200', courier: 'tiki' });
    const eco = {
      ...{ name: 'Citra Van Titipan Kilat (TIKI)', code: 'tiki', service: 'ECO', description: 'Economy Service' },
      ...{ cost: 45_000, etd: '5-6 day' },
    };
    expect(await asked('/api/v1/calculate/domestic-cost', between('50001', '50005'))).toEqual(good([eco]));
    expect(await asked('/api/v1/calculate/district/domestic-cost', between('1001', '1005'))).toEqual(good([eco]));
    const [mixed] = await asked('/api/v1/calculate/domestic-cost', between('1001', '50005'));
    expect(mixed).toBe(400);
  });
});

describe('the dialect of before', () => {
  it('lists places and tells prices and parcels in its own wrapping', async () => {
    expect(await asked('/city?province=1')).toMatchObject(
      classic({
        results: [
          { city_id: '101', city_name: 'Bandung' },
          { city_id: '102', city_name: 'Cimahi' },
        ],
      }),
    );
    const fields = { origin: '1001', originType: 'subdistrict', destination: '1005', destinationType: 'subdistrict' };
    expect(await asked('/cost', { ...fields, weight: '1200', courier: 'tiki' })).toEqual(
      classic({
        results: [
          {
            ...{ code: 'tiki', name: 'Citra Van Titipan Kilat (TIKI)' },
            costs: [
              { service: 'ECO', description: 'Economy Service', cost: [{ value: 45_000, etd: '5-6', note: '' }] },
            ],
          },
        ],
      }),
    );
    sandbox.desk.waybills.set('A-1', { waybill: 'A-1', courier: 'jne', status: 'RETURNED', manifest: [] });
    expect(await asked('/waybill', { waybill: 'a-1', courier: 'jne' })).toMatchObject(
      classic({ result: { delivered: false, summary: { waybill_number: 'A-1', status: 'RETURNED' } } }),
    );
    expect((await asked('/waybill', { waybill: 'A-2', courier: 'jne' }))[0]).toBe(400);
  });
});

it('a wrong key is refused as each dialect does, and takes nothing of the quota', async () => {
  for (let at = 0; at < 25; at += 1) expect((await asked('/api/v1/destination/province', undefined, 'x'))[0]).toBe(401);
  expect((await asked('/province', undefined, 'x'))[0]).toBe(400);
  expect((await asked('/province'))[0]).toBe(200);
});

it('the quota of a day is that of both dialects, until it is set anew', async () => {
  for (let at = 0; at < 20; at += 1) await asked(at % 2 === 0 ? '/province' : '/api/v1/destination/province');
  expect([await asked('/province'), await asked('/api/v1/destination/province')].map(([status]) => status)).toEqual([
    429, 429,
  ]);
  await fetch(`${sandbox.url}/__sandbox/quota`, { method: 'POST', body: '{"left":1}' });
  expect((await asked('/province'))[0]).toBe(200);
});

it('does not start in production', async () => {
  const production = { port: 0, keys: [], appEnv: 'production' };
  await expect(startRajaOngkirSandbox(production)).rejects.toThrow(
    'The RajaOngkir sandbox does not start with APP_ENV=production: set SHIP_A_BASE_URL to the provider.',
  );
});
