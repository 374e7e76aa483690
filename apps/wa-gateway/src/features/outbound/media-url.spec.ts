import { loadConfig } from '@platform/runtime';
import { checkConfig, privateMedia, settings } from '../../config';

const load = (environment: Record<string, string>) =>
  loadConfig(settings, { DATABASE_URL: 'postgres://u:p@127.0.0.1/db', ...environment });

describe('MEDIA_URL_ALLOW', () => {
  it.each(['chat-backend', '10.0.0.1', 'http://files.internal:3000/public', 'http://me@files/', 'http://f/?x='])(
    'refuses %s: it would open more than one place',
    (allowed) => expect(() => checkConfig(load({ MEDIA_URL_ALLOW: allowed }))).toThrow(/MEDIA_URL_ALLOW must list/),
  );

  it('takes a host with its port, and what stands below a path', () => {
    const config = load({ MEDIA_URL_ALLOW: 'files.internal:3000,http://files.internal:3000/public/' });
    expect(() => checkConfig(config)).not.toThrow();
    expect(privateMedia(config)).toEqual(['files.internal:3000', 'http://files.internal:3000/public/']);
  });

  it('left out, is the media of the chat backend and no other route of it', () => {
    expect(privateMedia(load({ WEBHOOK_URL: 'http://chat-backend:3100/v1' }))).toEqual([
      'http://chat-backend:3100/media/',
    ]);
  });
});
