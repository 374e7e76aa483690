import { newMember, newStore, useCommerce } from '../../../commerce.fixture';

const commerce = useCommerce();

const shop = async () => {
  const storeId = await newStore(commerce);
  return { storeId, token: (await newMember(commerce, storeId, 'admin')).token };
};
const ask = async (method: string, path: string, token: string, body?: object) => {
  const answer = await commerce.call(method, path, token, body);
  const { data, code, errors } = answer.body as { data?: unknown; code?: string; errors?: object };
  return { status: answer.status, ...(data === undefined ? { code, ...(errors && { errors }) } : { data }) };
};
const ORDER = { cancel_unpaid_hours: 24, auto_complete_days: 3 };
const TAX = { mode: 'none', rate_bp: 1200, base_num: 11, base_den: 12, shipping: false, npwp: '' };

describe('a group of settings', () => {
  it('keeps what was set on top of the defaults, in its own store only', async () => {
    const [mine, theirs] = [await shop(), await shop()];
    const path = '/api/settings/order';
    expect(await ask('GET', path, mine.token)).toEqual({ status: 200, data: { ...ORDER, version: 0 } });
    expect(await ask('PUT', path, mine.token, { auto_complete_days: 7, version: 0 })).toEqual({
      status: 200,
      data: { ...ORDER, auto_complete_days: 7, version: 1 },
    });
    expect(await ask('GET', path, theirs.token)).toEqual({ status: 200, data: { ...ORDER, version: 0 } });
  });

  it('changes inner members one by one', async () => {
    const { token } = await shop();
    const changed = await ask('PUT', '/api/settings/invoice', token, { tax: { mode: 'included' }, version: 0 });
    expect(changed).toEqual({ status: 200, data: { tax: { ...TAX, mode: 'included' }, version: 1 } });
  });

  it('that somebody else has changed since is refused, also when ten come at once', async () => {
    const { token } = await shop();
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        ask('PUT', '/api/settings/stock', token, { low_threshold: n + 10, version: 0 }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status !== 200)).toEqual(
      Array.from({ length: 9 }, () => ({ status: 409, code: 'version_conflict' })),
    );
  });

  it('refuses unknown groups, unknown members and values out of bounds', async () => {
    const { token } = await shop();
    for (const name of ['nothing', 'constructor', '__proto__'])
      expect(await ask('GET', `/api/settings/${name}`, token)).toEqual({ status: 404, code: 'not_found' });
    const put = (body: object) => ask('PUT', '/api/settings/order', token, body);
    expect(await put({ cancel_hours: 1, version: 0 })).toEqual({
      status: 422,
      code: 'validation',
      errors: { cancel_hours: ['cancel_hours is not a known field'] },
    });
    expect((await put({ cancel_unpaid_hours: 0, version: 0 })).status).toBe(422);
    expect((await put({ cancel_unpaid_hours: 5 })).status).toBe(422);
    expect((await ask('PUT', '/api/settings/invoice', token, { tax: { mod: 'x' }, version: 0 })).status).toBe(422);
  });
});

describe('the flat view', () => {
  it('shows and changes the same rows, says that it is deprecated, and changes all or nothing', async () => {
    const { token } = await shop();
    const answer = await commerce.call('PUT', '/api/setting', token, {
      'order.cancel_unpaid_hours': 48,
      'stock.low_threshold': 9,
    });
    expect([answer.status, answer.headers.get('deprecation')]).toEqual([200, 'true']);
    expect(await ask('GET', '/api/settings/order', token)).toEqual({
      status: 200,
      data: { ...ORDER, cancel_unpaid_hours: 48, version: 1 },
    });
    for (const wrong of ['stock.low', 'nothing.at_all', 'stock', 'stock.constructor', '__proto__.x'])
      expect((await ask('PUT', '/api/setting', token, { 'order.auto_complete_days': 9, [wrong]: 1 })).status).toBe(422);
    expect((await ask('PUT', '/api/setting', token, { 'order.auto_complete_days': 0 })).status).toBe(422);
    expect(await ask('GET', '/api/setting', token)).toMatchObject({
      data: {
        'order.cancel_unpaid_hours': 48,
        'order.auto_complete_days': 3,
        'stock.low_threshold': 9,
        'invoice.tax': TAX,
      },
    });
  });
});
