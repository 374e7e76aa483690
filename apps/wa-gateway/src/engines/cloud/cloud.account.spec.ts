import { randomBytes } from 'node:crypto';
import { secretBox } from '@platform/auth';
import { loadConfig } from '@platform/runtime';
import { checkConfig, settings } from '../../config';
import { PRODUCTION } from '../../gateway.fixture';
import { CloudAccounts } from './cloud.account';

const box = secretBox(randomBytes(32).toString('base64'));
const given = { phone_number_id: '42', token: 'T', app_secret: 'S', verify_token: 'V' };

describe('CloudAccounts', () => {
  it('opens for its device only', () => {
    const accounts = new CloudAccounts(box, undefined, undefined);
    const sealed = accounts.seal('toko-1', given);
    expect(accounts.open('toko-1', sealed)).toEqual({ numberId: '42', token: 'T', appSecret: 'S', verifyToken: 'V' });
    expect(() => accounts.open('toko-2', sealed)).toThrow();
  });

  it('takes the account of the environment for a device that brings none', () => {
    expect(new CloudAccounts(box, given, 'V').seal('toko-1', undefined)).toMatchObject({ phone_number_id: '42' });
    expect(() => new CloudAccounts(box, undefined, 'V').seal('toko-1', undefined)).toThrow('cloud is required');
  });
});

describe('the settings', () => {
  const check = (environment: Record<string, string>) => () =>
    checkConfig(loadConfig(settings, { DATABASE_URL: 'postgres://u:p@127.0.0.1/x', ...environment }));

  it('refuse half an account and name what is missing', () => {
    expect(check({ WA_CLOUD_TOKEN: 'T', WA_CLOUD_APP_SECRET: 'S' })).toThrow(
      'WA_CLOUD_PHONE_NUMBER_ID and WA_CLOUD_VERIFY_TOKEN is missing: the account of WA_CLOUD_* needs all four of it',
    );
    expect(check({ WA_CLOUD_VERIFY_TOKEN: 'V' })).not.toThrow();
  });

  it('refuse to send a token in clear text in production', () => {
    const production = { ...PRODUCTION, WA_ENGINE: 'cloud' };
    expect(check({ ...production, WA_CLOUD_BASE_URL: 'http://127.0.0.1:3101' })).toThrow(
      'WA_CLOUD_BASE_URL must begin with https: with APP_ENV=production',
    );
    expect(check(production)).not.toThrow();
  });
});
