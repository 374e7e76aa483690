import { randomBytes } from 'node:crypto';
import { uuidv7 } from '@platform/runtime';
import { steady } from './steady';

const answer = () => {
  const [one, other, key] = [uuidv7(), uuidv7(), randomBytes(16).toString('hex')];
  const now = new Date(1_795_334_980_000 + randomBytes(2).readUInt16BE());
  return {
    id: one,
    parent: `S1.${other}`,
    again: one,
    at: now.toISOString(),
    waktu: now.toISOString().slice(0, 16).replace('T', ' '),
    seconds: Math.floor(now.getTime() / 1000),
    milliseconds: now.getTime(),
    file: `http://127.0.0.1:${1024 + randomBytes(1).readUInt8()}/files/${key}.jpg`,
    message: `3EB0${randomBytes(9).toString('hex').toUpperCase()}`,
    latency_ms: randomBytes(1).readUInt8(),
    refresh_token: key,
    otp: String(100_000 + randomBytes(2).readUInt16BE()),
    next_cursor: Buffer.from(one).toString('base64url'),
  };
};

describe('a recorded answer', () => {
  it('is the same in every run: ids are numbered, times are equal, secrets are placeholders', () => {
    const plain = {
      id: '0199f7a0-0000-7000-8000-000000000001',
      parent: 'S1.0199f7a0-0000-7000-8000-000000000002',
      again: '0199f7a0-0000-7000-8000-000000000001',
      at: '2026-03-01T08:00:00.000Z',
      waktu: '2026-03-01 15:00',
      seconds: 1_772_352_000,
      milliseconds: 1_772_352_000_000,
      file: 'http://127.0.0.1:3002/files/00000000000000000000000000000001.jpg',
      message: '3EB0000000000000000001',
      latency_ms: 1,
      refresh_token: '<refresh_token>',
      otp: '<otp>',
      next_cursor: '<next_cursor>',
    };
    expect([steady(answer()), steady(answer())]).toEqual([plain, plain]);
  });

  it('keeps what every run has: phone numbers, amounts, words, nulls, short cursors', () => {
    const kept = { nohp: '628123456789', total: 250_000, list: ['a', null, true, 0], next_cursor: '27' };
    expect(steady(kept)).toEqual(kept);
  });

  it('does not change when it is normalised again', () => {
    const once = steady(answer());
    expect(steady(once)).toEqual(once);
  });

  it("is normalised by a service's own rules too", () =>
    expect(steady({ a: 'TKT-7', b: 'TKT-9', c: 'TKT-7' }, [[/TKT-\d+/, (nth) => `TKT-${nth}`]])).toEqual({
      a: 'TKT-1',
      b: 'TKT-2',
      c: 'TKT-1',
    }));
});
