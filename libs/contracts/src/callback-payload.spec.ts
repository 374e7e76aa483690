import { Malformed } from '@platform/errors';
import { parse } from '@platform/validation';
import { callbackParts, type CallbackPayload } from './callback-payload';
import { CallbackPayloadDto } from './callback-payload.dto';
import { callbackTime, readCallback } from './callback-reading';

const message: CallbackPayload = {
  type: 'chat',
  number: '628123456789@s.whatsapp.net',
  instanceID: 'toko-1',
  result: true,
  report: false,
  fromMe: false,
  text: 'ada stok?',
  caption: '',
  id: '3EB1',
  timestamp: 1_795_180_010,
};

describe('the parts of a callback', () => {
  it('are in the order of the contract, without empty fields', () => {
    expect(callbackParts(message)).toEqual([
      ['instanceID', 'toko-1'],
      ['result', 'true'],
      ['report', 'false'],
      ['text', 'ada stok?'],
      ['number', '628123456789@s.whatsapp.net'],
      ['fromMe', 'false'],
      ['id', '3EB1'],
      ['timestamp', '1795180010'],
      ['type', 'chat'],
    ]);
  });

  it('are read back unchanged', () => {
    const { caption: _, ...expected } = message;
    expect(readCallback(Object.fromEntries(callbackParts(message)))).toEqual(expected);
  });
});

describe('reading a callback', () => {
  it.each([
    ['true', true],
    ['T', true],
    ['1', true],
    ['TRUE', true],
    [true, true],
    [1, true],
    ['false', false],
    ['F', false],
    ['0', false],
    [false, false],
  ])('reads %j as %s', (raw, expected) => expect(readCallback({ report: raw })).toEqual({ report: expected }));

  it.each([
    [{ result: 'yes' }, 'result must be a boolean: true, false, 1, 0, t or f'],
    [{ fromMe: ['true'] }, 'fromMe must be a boolean: true, false, 1, 0, t or f'],
    [{ timestamp: '12.5' }, 'timestamp must be a 64 bit integer'],
    [{ timestamp: '9223372036854775808' }, 'timestamp must be a 64 bit integer'],
    [{ text: ['a', 'b'] }, 'text must be a string'],
  ])('refuses %j', (raw, text) => {
    expect(() => readCallback(raw)).toThrow(new Malformed(text));
  });

  it('treats empty as absent and numbers as texts, and drops unknown fields', () => {
    expect(readCallback({ result: '', text: 12, caption: null, foreign: 'x', rawMessage: { a: 1 } })).toEqual({
      text: '12',
      rawMessage: '{"a":1}',
    });
  });

  it.each(['1795180010', '1795180010000', '1795180010000000', '1795180010000000000'])(
    'resolves the timestamp %s to its instant',
    (raw) => {
      expect(callbackTime(readCallback({ timestamp: raw }).timestamp ?? 0)).toEqual(new Date(1_795_180_010_000));
    },
  );
});

describe('the DTO of a new message', () => {
  it('accepts what the gateway sends', () => {
    const { caption: _, ...expected } = message;
    expect(parse(CallbackPayloadDto, { ...message }).value).toEqual(expected);
  });

  it('requires the four fields of the contract', () => {
    expect(parse(CallbackPayloadDto, {}).violations?.map(({ field, tag }) => [field, tag])).toEqual(
      ['instanceID', 'result', 'report', 'number'].map((field) => [field, 'required']),
    );
  });
});
