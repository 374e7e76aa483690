import { Conflict, Unauthenticated } from '@platform/errors';
import {
  adsEnvelope,
  botStatusCodeEnvelope,
  botStatusEnvelope,
  chatCallbackEnvelope,
  chatEnvelope,
  chatInboundEnvelope,
  chatSchedulerEnvelope,
  chatServiceEnvelope,
  commerceEnvelope,
  fieldErrorsOf,
  gatewayEnvelope,
  refusalOf,
  storeAuthEnvelope,
  type Envelope,
} from './index';

const taken = new Conflict('somebody else has it', { code: 'chat_handled', details: { user_nama: 'Rina' } });
const read = (envelope: Envelope, failure = taken) => {
  const { status, body } = envelope.failure(failure);
  return refusalOf(status, JSON.parse(JSON.stringify(body)));
};
const message = 'somebody else has it';

it.each([
  ['chat-backend', chatEnvelope],
  ['chat-backend inbound', chatInboundEnvelope],
  ['chat-backend callback', chatCallbackEnvelope],
  ['chat-backend scheduler', chatSchedulerEnvelope],
  ['chat-backend pushes', chatServiceEnvelope],
  ['commerce-api', commerceEnvelope({ production: true })],
  ['wa-gateway', gatewayEnvelope({ production: false })],
])('a refusal in the envelope of %s is read back with code, message and details', (_name, envelope) => {
  expect(read(envelope)).toEqual({ code: 'chat_handled', message, details: { user_nama: 'Rina' }, expired: false });
});

it('a refusal of store-auth is read back with its code', () => {
  expect(read(storeAuthEnvelope)).toEqual({ code: 'chat_handled', message, details: {}, expired: false });
});

it.each([
  ['bot-engine', botStatusCodeEnvelope],
  ['bot-engine generate_welcome', botStatusEnvelope],
  ['wa-gateway in production', gatewayEnvelope({ production: true })],
])('a refusal in the envelope of %s, which has no code, is read back with its message', (_name, envelope) => {
  expect(read(envelope)).toEqual({ code: undefined, message, details: {}, expired: false });
});

it("an expired token is told from an invalid one by store-auth's answer", () => {
  const [expired, invalid] = (['expired', 'invalid'] as const).map((reason) =>
    read(storeAuthEnvelope, new Unauthenticated({ reason }) as never),
  );
  expect([expired?.expired, invalid?.expired]).toEqual([true, false]);
});

it.each([
  ['chat-backend', chatEnvelope],
  ['commerce-api', commerceEnvelope({ production: true })],
  ['wa-gateway', gatewayEnvelope({ production: false })],
  ['store-auth', storeAuthEnvelope],
  ['bot-engine', botStatusCodeEnvelope],
  ['ads-api', adsEnvelope],
])('a success of %s is no refusal', (_name, envelope) => {
  const { status, body } = envelope.success({ message: 'OK', data: { code: 'x' } }, 200);
  expect(refusalOf(status, body)).toBeUndefined();
});

it.each([undefined, null, 'x', 5, ['x'], '<html>'])(
  'a status above 400 is a refusal, whatever its body: %j',
  (body) => {
    expect(refusalOf(500, body)).toEqual({ code: undefined, message: '', details: {}, expired: false });
  },
);

it.each(['a\u0000b', '\ud800', '', 'x'.repeat(65), 5, null, { a: 1 }])('%j is not read as a refusal code', (code) => {
  expect(refusalOf(409, { status: 'error', message: 'no', code })?.code).toBeUndefined();
});

it('the message of a refusal is short, and has no tokens, phone numbers or control characters', () => {
  const words = (text: string) => refusalOf(422, { message: text })?.message;
  expect(words('+62 812-3456-7890 is not on WhatsApp\u0000\n')).toBe('[number] is not on WhatsApp');
  expect(words('6281234567890 again')).toBe('[number] again');
  expect(words('Bearer abc.def refused')).toBe('Bearer [redacted] refused');
  expect(words('half \ud800 of a pair')).toBe('half   of a pair');
  expect(words('x'.repeat(1_000_000))).toHaveLength(200);
});

it.each([
  ['as commerce-api answers them', { name: ['name is a required field', 'second'] }],
  ['as chat-backend does', [{ field: 'name', tag: 'required', message: 'name is a required field' }, null, 'x']],
])('what a sibling says of fields is read by field, %s', (_, errors) =>
  expect(fieldErrorsOf({ errors }).name?.[0]).toBe('name is a required field'),
);
