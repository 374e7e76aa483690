import { ConfigurationError } from '@platform/runtime';
import { checkPush, publicKeyOf, pushSettings, vapidOf } from './push.settings';

// The example of RFC 8291 section 5
const KEY = 'yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw';
const PUBLIC = 'BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8';
const whole = { VAPID_PRIVATE_KEY: KEY, VAPID_SUBJECT: 'mailto:a@toko.example', PUSH_ALLOW_HOSTS: [] as string[] };
const refusal = (change: object, APP_ENV = 'development'): string => {
  try {
    checkPush({ ...whole, ...change, APP_ENV });
    return '';
  } catch (failure) {
    expect(failure).toBeInstanceOf(ConfigurationError);
    return String(failure);
  }
};

it('the public key follows from the private one', () => {
  expect([publicKeyOf(KEY), vapidOf(whole)?.publicKey]).toEqual([PUBLIC, PUBLIC]);
});

it.each([
  ['VAPID_PRIVATE_KEY', ['', 'x', KEY.slice(1), `${KEY}A`, 'A'.repeat(43), '_'.repeat(43), PUBLIC]],
  ['VAPID_SUBJECT', ['', 'toko', 'mailto:', 'mailto:a b@c', 'http://toko.example', 'javascript:alert(1)']],
] as const)('a malformed %s is refused', (name, wrong) => {
  const { read } = pushSettings[name];
  expect(wrong.map((given) => read(given))).toEqual(wrong.map(() => undefined));
});

it('a half set key is refused with what to do, none and a whole one are not', () => {
  expect(refusal({})).toBe('');
  expect(refusal({ VAPID_PRIVATE_KEY: undefined, VAPID_SUBJECT: undefined })).toBe('');
  expect(refusal({ VAPID_SUBJECT: undefined })).toContain('VAPID_SUBJECT is missing beside VAPID_PRIVATE_KEY: set');
  expect(refusal({ VAPID_PRIVATE_KEY: undefined })).toContain('make one with `npx web-push generate-vapid-keys`');
});

it('production pushes into no private network', () => {
  const allowed = { PUSH_ALLOW_HOSTS: ['127.0.0.1'] };
  expect([refusal(allowed), refusal(allowed, 'test')]).toEqual(['', '']);
  expect(refusal(allowed, 'production')).toContain('PUSH_ALLOW_HOSTS');
});
