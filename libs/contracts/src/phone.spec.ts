import { hidesNumber, jidOf, nohpOf, normaliseNohp, parseAddress, parseCallbackNumber } from './phone';

const jid = (input: string) => {
  const address = parseAddress(input);
  return address && jidOf(address);
};

describe('an address as people write it', () => {
  it.each([
    '08123456789',
    '+62 812-3456-789',
    '628123456789',
    '628123456789@c.us',
    '628123456789:7@s.whatsapp.net',
    '(0812) 345 6789',
    ' +628123456789 ',
  ])('reads %j as the same user', (input) => expect(jid(input)).toBe('628123456789@s.whatsapp.net'));

  it('has the configured country code in place of a leading 0', () => {
    expect(parseAddress('0171 2345678', '49')).toEqual({ kind: 'user', id: '491712345678' });
  });

  it.each(['120363000000000001', '120363000000000001@g.us', '628111-1490000000', '628111-1490000000@g.us'])(
    'reads %j as a group',
    (input) => expect(jid(input)).toBe(`${input.replace('@g.us', '')}@g.us`),
  );

  it.each(['ID.13491208655302741918@bsuid', 'US.ENT.11815799212886844830@bsuid', `US.ENT.${'a'.repeat(128)}@bsuid`])(
    'knows %s, who hides a number from businesses',
    (chat) => {
      expect([jid(chat), parseCallbackNumber(chat), normaliseNohp(chat), hidesNumber(chat)]).toEqual([
        chat,
        { kind: 'bsuid', id: chat.replace('@bsuid', '') },
        chat,
        true,
      ]);
    },
  );

  it('keeps the suffix of a hidden identity', () => expect(jid('9628110000001@lid')).toBe('9628110000001@lid'));

  it.each([
    '',
    'budi',
    '081a',
    '123456',
    '6281234567890123',
    '628123456789@example.com',
    'status@broadcast',
    '1@newsletter',
    'a@g.us',
    'ID@bsuid',
    `ID.${'1'.repeat(129)}@bsuid`,
    'ID.13@bsuid@x',
    'ID.1_3@bsuid',
    '62812@@c.us',
    '0@lid',
    '00812345678@c.us@c.us',
  ])('refuses %j', (input) => expect(parseAddress(input)).toBeUndefined());
});

describe('the number of a callback', () => {
  it.each([
    ['628123456789@s.whatsapp.net', { kind: 'user', id: '628123456789' }],
    ['628123456789:12@s.whatsapp.net', { kind: 'user', id: '628123456789' }],
    ['628123456789@c.us', { kind: 'user', id: '628123456789' }],
    ['9628110000001@lid', { kind: 'lid', id: '9628110000001' }],
    ['628111-1490000000@g.us', { kind: 'group', id: '628111-1490000000' }],
    ['120363000000000001@g.us', { kind: 'group', id: '120363000000000001' }],
  ])('reads %j', (number, address) => expect(parseCallbackNumber(number)).toEqual(address));

  it.each([
    '628123456789',
    '08123@c',
    '1234@c.us',
    'x@c.us',
    'status@broadcast',
    '1@newsletter',
    ' 628123456789@c.us',
    '628123456789@c.us\n',
    '628@c.us@g.us',
  ])('refuses %j rather than guess', (number) => expect(parseCallbackNumber(number)).toBeUndefined());
});

describe('nohp', () => {
  it('loses a user suffix and keeps the others, so that a hidden identity cannot collide with a number', () => {
    expect(nohpOf({ kind: 'user', id: '62812' })).toBe('62812');
    expect(nohpOf({ kind: 'lid', id: '62812' })).toBe('62812@lid');
    expect(nohpOf({ kind: 'group', id: '628111-1490000000' })).toBe('628111-1490000000@g.us');
  });

  it.each([
    ['628123456789', '628123456789'],
    ['+62 812 3456 789', '628123456789'],
    ['08123456789', '628123456789'],
    ['628123456789@s.whatsapp.net', '628123456789'],
    ['12345@c.us', '12345'],
    ['9628110000001@lid', '9628110000001@lid'],
    ['628111-1490000000', '628111-1490000000@g.us'],
    ['', undefined],
    ['budi', undefined],
  ])('of %j is %j', (input, nohp) => expect(normaliseNohp(input)).toBe(nohp));
});
