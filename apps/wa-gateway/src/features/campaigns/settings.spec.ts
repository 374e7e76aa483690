import { ConfigurationError, loadConfig } from '@platform/runtime';
import { settings } from '../../config';

const load = (more: Record<string, string>) =>
  loadConfig(settings, { APP_ENV: 'test', DATABASE_URL: 'postgres://a:b@127.0.0.1/c', ...more });

describe('the campaign settings', () => {
  it('have the defaults of the design', () => {
    const { BULK_QUEUE, BULK_DAILY_LIMIT, QUIET_HOURS, TZ_DEFAULT } = load({});
    expect({ BULK_QUEUE, BULK_DAILY_LIMIT, QUIET_HOURS, TZ_DEFAULT }).toEqual({
      BULK_QUEUE: 5,
      BULK_DAILY_LIMIT: undefined,
      QUIET_HOURS: { from: 21, to: 7 },
      TZ_DEFAULT: 'Asia/Jakarta',
    });
  });

  it('take other hours, none at all, and another zone', () => {
    expect(load({ QUIET_HOURS: '9-17', TZ_DEFAULT: 'Europe/Berlin' })).toMatchObject({
      QUIET_HOURS: { from: 9, to: 17 },
      TZ_DEFAULT: 'Europe/Berlin',
    });
    expect(load({ QUIET_HOURS: 'off' }).QUIET_HOURS).toEqual({ from: 0, to: 0 });
  });

  it.each([
    ['QUIET_HOURS', '21-24'],
    ['QUIET_HOURS', 'night'],
    ['TZ_DEFAULT', 'Nusantara'],
    ['BULK_QUEUE', '0'],
  ])('refuse %s=%s', (name, value) => {
    expect(() => load({ [name]: value })).toThrow(ConfigurationError);
  });
});
