import { uuidv7 } from '@platform/runtime';
import { InvalidInput } from '@platform/errors';
import { ownStore, refused, succeeded } from '../../../asked.fixture';
import { useCommerce } from '../../../commerce.fixture';
import { trial } from '../../../limits';
import type { Plan } from './plans.dto';
import { upsertPlan } from './plans.sql';

const commerce = useCommerce();
const read = async (path: string) => {
  const { status, body } = await commerce.get(`/api${path}`);
  return { status, body: body as { data: Plan[] } };
};
const codes = (plans: readonly Plan[]): string[] => plans.map(({ code }) => code);
const GIB = 1024 * 1024;
const GROWTH = {
  ...{ id: '35b6ebae-d48d-5ba1-836f-14eb3ba1ab28', code: 'growth', name: 'Growth', family: 'new' },
  prices: { monthly: 249_000, yearly: 2_490_000 },
  limits: {
    devices: 5,
    agents: 5,
    staff: 10,
    contacts: 50_000,
    stores: 2,
    storage: 25 * GIB,
    files: 50_000,
    broadcasts: 60,
  },
  features: ['Everything in Starter', 'A second store'],
};
const file = {
  ...{ code: 'mini', name: 'Mini', family: 'new', rank: 10, prices: { monthly: 10_000, yearly: 100_000 } },
  ...{ limits: trial, features: ['Small'] },
};

describe('the price list', () => {
  it('shows whoever asks what is on sale, the smallest first, and one plan of it', async () => {
    const list = await read('/new-package');
    expect([list.status, codes(list.body.data)]).toEqual([200, ['starter', 'growth', 'business', 'enterprise']]);
    expect(list.body.data[1]).toEqual(GROWTH);
    expect(await read(`/new-package/${GROWTH.id}`)).toEqual(succeeded(200, 'OK', GROWTH));
  });

  it('is another one for the legacy plans, which are shown to members alone', async () => {
    const { ask } = await ownStore(commerce);
    const list = (await ask<Plan[]>('GET', '/package')).body.data;
    expect(codes(list)).toEqual(['legacy-basic', 'legacy-pro']);
    expect((await read('/package')).status).toBe(401);
    const missing = refused(404, 'not_found', 'Plan not found');
    expect(await ask('GET', `/package/${list[0]?.id ?? ''}`)).toEqual(succeeded(200, 'OK', list[0]));
    expect(await ask('GET', `/package/${GROWTH.id}`)).toEqual(missing);
    expect(await read(`/new-package/${list[0]?.id ?? ''}`)).toEqual(missing);
    expect(await read(`/new-package/${uuidv7()}`)).toEqual(missing);
  });

  it('of every plan allows at least what the trial does, and the larger one no less of anything', async () => {
    const plans = (await read('/new-package')).body.data;
    const all = [trial, ...plans.map(({ limits }) => limits)] as Record<string, number>[];
    const less = all
      .slice(1)
      .flatMap((limits, at) => Object.keys(trial).filter((metric) => (limits[metric] ?? 0) < (all[at]?.[metric] ?? 0)));
    expect(less).toEqual([]);
  });
});

describe('a plan of the operator', () => {
  it('is written under its code, once or over what is there, and can be withdrawn', async () => {
    const { id } = await upsertPlan(commerce.database, file);
    expect((await upsertPlan(commerce.database, { ...file, name: 'Mini 2' })).id).toBe(id);
    const { code, name, family, prices, limits, features } = { ...file, name: 'Mini 2' };
    expect(await read(`/new-package/${id}`)).toEqual(
      succeeded(200, 'OK', { id, code, name, family, prices, limits, features }),
    );
    await upsertPlan(commerce.database, { ...file, on_sale: false });
    expect(codes((await read('/new-package')).body.data)).not.toContain('mini');
    expect((await read(`/new-package/${id}`)).status).toBe(404);
  });

  it.each([
    ['no plan at all', 'x', 'code'],
    ['a misspelt field', { ...file, limit: {} }, 'limit'],
    ['no limit of something', { ...file, limits: { ...trial, staff: undefined } }, 'limits.staff'],
    ['a limit of what is not counted', { ...file, limits: { ...trial, rockets: 1 } }, 'limits.rockets'],
    ['a limit below 0', { ...file, limits: { ...trial, staff: -1 } }, 'limits.staff'],
    ['a price of 0', { ...file, prices: { monthly: 0, yearly: 1 } }, 'prices.monthly'],
    ['a year for less than a month', { ...file, prices: { monthly: 10, yearly: 9 } }, 'prices.yearly'],
    ['a code with spaces', { ...file, code: 'my plan' }, 'code'],
    ['a family that is none', { ...file, family: 'old' }, 'family'],
    [
      'a voucher of everything',
      { ...file, vouchers: [{ code: 'ALL', percent: 100, until: '2027-01-01T00:00:00Z' }] },
      'vouchers[0].percent',
    ],
    [
      'a voucher until a moment of no clock',
      { ...file, vouchers: [{ code: 'ABC', percent: 10, until: '2027-01-01T00:00:00' }] },
      'vouchers[0].until',
    ],
  ])('is refused for %s', async (_, wrong, field) => {
    const refusal = await upsertPlan(commerce.database, wrong).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(InvalidInput);
    expect((refusal as InvalidInput).violations.map((violation) => violation.field)).toContain(field);
  });
});
