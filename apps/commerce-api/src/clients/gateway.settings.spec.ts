import { loadConfig } from '@platform/runtime';
import { gatewayPlaces, gatewaySettings, platformShare } from './gateway.settings';

const places = (environment: Record<string, string>, APP_ENV = 'development') =>
  gatewayPlaces({ ...loadConfig(gatewaySettings, environment), APP_ENV, PORT: 3005 });
const inProduction = (environment: Record<string, string>) => () => places(environment, 'production');

const FREE = { percentBp: 0, fixed: 0 };
const A = { PAY_A_CLIENT_ID: 'MCH-1', PAY_A_SECRET: 'canary-a' };
const B = { PAY_B_KEY: 'canary-b', PAY_B_CALLBACK_TOKEN: 'canary-t' };
const C = { PAY_C_MERCHANT: 'DS1', PAY_C_KEY: 'canary-c' };
const ADDRESSES = {
  PAY_A_BASE_URL: 'https://api.doku.com',
  PAY_A_PUBLIC_URL: 'https://shop.example.com',
  PAY_B_BASE_URL: 'https://api.xendit.co',
  PAY_C_BASE_URL: 'https://api-prod.duitku.com',
  PAY_C_PUBLIC_URL: 'https://shop.example.com',
};

describe('payment providers without settings', () => {
  const here = { publicUrl: 'http://127.0.0.1:3005', account: undefined, fee: FREE };

  it('are the local sandboxes outside production, for accounts of stores', () => {
    expect(places({})).toEqual({
      a: { ...here, baseUrl: 'http://127.0.0.1:3103' },
      b: { ...here, baseUrl: 'http://127.0.0.1:3104', confirm: false },
      c: { ...here, baseUrl: 'http://127.0.0.1:3105' },
    });
  });

  it('are not there in production', () => {
    expect(places({}, 'production')).toEqual({ a: undefined, b: undefined, c: undefined });
  });
});

describe('payment providers with settings', () => {
  it('are where they say, with the account and the fee of the platform, and B is asked again in production', () => {
    expect(places({ ...A, ...B, ...C, ...ADDRESSES, PAY_B_FEE: '250+4000' }, 'production')).toEqual({
      a: {
        ...{ baseUrl: 'https://api.doku.com', publicUrl: 'https://shop.example.com', fee: FREE },
        account: { client_id: 'MCH-1', secret: 'canary-a' },
      },
      b: {
        ...{ baseUrl: 'https://api.xendit.co', publicUrl: 'http://127.0.0.1:3005', confirm: true },
        ...{ account: { key: 'canary-b', callback_token: 'canary-t' }, fee: { percentBp: 250, fixed: 4_000 } },
      },
      c: {
        ...{ baseUrl: 'https://api-prod.duitku.com', publicUrl: 'https://shop.example.com', fee: FREE },
        account: { merchant: 'DS1', key: 'canary-c' },
      },
    });
    expect(places({ ...B, ...ADDRESSES, PAY_B_CONFIRM: 'false' }, 'production').b?.confirm).toBe(false);
  });

  it('may have an address only: stores then bring accounts of their own', () => {
    expect(places(ADDRESSES, 'production').a?.account).toBeUndefined();
  });

  it.each([
    ['PAY_A_SECRET', { PAY_A_CLIENT_ID: 'MCH-1' }],
    ['PAY_A_CLIENT_ID', { PAY_A_SECRET: 'canary' }],
    ['PAY_B_CALLBACK_TOKEN', { PAY_B_KEY: 'canary' }],
    ['PAY_C_MERCHANT', { PAY_C_KEY: 'canary' }],
  ])('are refused when %s is missing beside the rest of the account, which is not shown', (name, given) => {
    const refused = () => places(given);
    expect(refused).toThrow(`${name} is missing: `);
    expect(refused).not.toThrow('canary');
  });

  it.each([
    ['PAY_A_BASE_URL', A],
    ['PAY_A_PUBLIC_URL', { ...A, PAY_A_BASE_URL: 'https://api.doku.com' }],
    ['PAY_B_BASE_URL', B],
    ['PAY_C_PUBLIC_URL', { PAY_C_BASE_URL: 'https://api-prod.duitku.com' }],
  ])('are refused in production without %s', (name, given) => {
    expect(inProduction(given)).toThrow(`${name} is missing: in production`);
  });

  it('are refused in production at an address in clear text', () => {
    expect(inProduction({ ...B, PAY_B_BASE_URL: 'HTTP://127.0.0.1:3104' })).toThrow(
      'PAY_B_BASE_URL must begin with https:',
    );
  });

  it.each(['250', '10001+0', '1.5+0', '-1+0', '0+-1', '0+9999999999999', ' 1+1', 'x+1'])(
    'are refused with the fee %s',
    (fee) => {
      expect(() => places({ PAY_A_FEE: fee })).toThrow('PAY_A_FEE must be <hundredths of a percent>+<fixed amount>');
    },
  );
});

it.each([
  [0, 0, 150_000, 0],
  [250, 4_000, 150_000, 7_750],
  [33, 0, 999, 3],
  [10_000, 1_000_000_000_000, 500, 500],
  [9_999, 0, 1_000_000_000_000, 999_900_000_000],
  [333, 0, 999_999_999_999, 33_299_999_999],
])('the platform takes %s bp and %s of %s: %s', (percentBp, fixed, amount, share) => {
  expect(platformShare({ percentBp, fixed }, amount)).toBe(share);
});
