import { Malformed } from '@platform/errors';
import type { IncomingHttpHeaders } from 'node:http';
import { dokuSignature } from './doku.signature';
import { duitkuCallbackSignature } from './duitku.signature';
import { dokuNotices } from './pay-a.doku';
import { xenditNotices } from './pay-b.xendit';
import { duitkuNotices } from './pay-c.duitku';

const bytes = (value: unknown): Buffer => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
const unreadable = ['', 'null', '[]', '"x"', '{', '<html></html>', '\u0000', '{}', '{"order":1,"transaction":2}'];

describe('a notice of A', () => {
  const account = { client_id: 'MCH-0001', secret: 'test-secret' };
  const reader = dokuNotices('https://pay.example/shop', account);
  const path = '/api/pay_a/notification';
  const order = { invoice_number: 'INV-1-1', amount: 150_000 };
  const transaction = { status: 'SUCCESS', date: '2026-11-20T07:00:00Z', original_request_id: 'req-0' };
  const raw = bytes({ order, transaction, channel: { id: 'VIRTUAL_ACCOUNT_BCA' } });
  const signed = (body: Buffer, target = `/shop${path}`, secret = account.secret) => {
    const request = { clientId: 'MCH-0001', requestId: 'req-1', timestamp: '2026-11-20T07:00:01Z', target, body };
    return {
      ...{ 'client-id': 'MCH-0001', 'request-id': 'req-1', 'request-timestamp': '2026-11-20T07:00:01Z' },
      signature: dokuSignature(request, secret),
    };
  };

  it('is good for the path by which A knows us, hours later too', () => {
    expect(reader.verify(signed(raw), raw, path)).toBe(true);
    expect(dokuNotices('https://pay.example', account).verify(signed(raw, path), raw, path)).toBe(true);
  });

  it('is bad when anything of it was changed, or somebody else signed', () => {
    const good = signed(raw);
    const list = [good.signature, good.signature] as unknown as string;
    const tries: [IncomingHttpHeaders, Buffer, string][] = [
      [good, bytes(`${raw.toString()} `), path],
      [good, raw, '/api/pay_a/checkout-notification'],
      [signed(raw, path), raw, path],
      [signed(raw, `/shop${path}`, 'other'), raw, path],
      [{ ...good, 'request-id': 'req-2' }, raw, path],
      [{ ...good, 'request-timestamp': '2026-11-20T07:00:02Z' }, raw, path],
      [{ ...good, 'client-id': 'MCH-0002' }, raw, path],
      [{ ...good, signature: good.signature.replace('HMACSHA256=', '') }, raw, path],
      [{ ...good, signature: `${good.signature}, ${good.signature}` }, raw, path],
      [{ ...good, signature: list }, raw, path],
      [{ ...good, signature: '' }, raw, path],
      [{}, raw, path],
    ];
    expect(tries.map(([headers, body, at]) => reader.verify(headers, body, at))).toEqual(tries.map(() => false));
  });

  it('has the fact, and a key for its repeats', () => {
    expect(reader.parse(raw, {})).toEqual({
      dedupeKey: 'INV-1-1:SUCCESS:req-0',
      invoiceNumber: 'INV-1-1',
      fact: {
        ...{ state: 'paid', invoiceNumber: 'INV-1-1', amount: 150_000, currency: 'IDR', rawStatus: 'SUCCESS' },
        ...{ paidAt: new Date('2026-11-20T07:00:00Z'), channel: 'VIRTUAL_ACCOUNT_BCA' },
      },
    });
  });

  it.each([
    ['SUCCESS', 'paid'],
    ['EXPIRED', 'expired'],
    ['FAILED', 'failed'],
    ['REFUNDED', 'failed'],
    ['PENDING', 'pending'],
    ['TIMEOUT', 'pending'],
    ['REDIRECT', 'pending'],
    ['constructor', 'pending'],
    ['success', 'pending'],
  ])('that says %s is %s', (status, state) => {
    const body = bytes({ order: { ...order, amount: '150000.00' }, transaction: { ...transaction, status } });
    expect(reader.parse(body, {}).fact).toMatchObject({ state, amount: 150_000, rawStatus: status });
  });

  it.each([
    ...unreadable,
    { order: { ...order, amount: 1.5 }, transaction },
    { order: { ...order, amount: undefined }, transaction },
    { order: { ...order, invoice_number: 7 }, transaction },
    { order: { ...order, invoice_number: 'x'.repeat(65) }, transaction },
    { order, transaction: {} },
  ])('is none: %j', (body) => {
    expect(() => reader.parse(bytes(body), {})).toThrow(Malformed);
  });
});

describe('a notice of B', () => {
  const reader = xenditNotices({ key: 'k', callback_token: 'token' });
  const invoice = {
    ...{ id: 'i1', external_id: 'INV-1-1', user_id: 'u', status: 'PAID', amount: 150_000, paid_amount: 149_000 },
    ...{ paid_at: '2026-11-20T07:00:00.123Z', payment_channel: 'BCA', currency: 'IDR', fees_paid_amount: 4_000 },
  };
  const payout = { id: 'disb-1', reference_id: 'w1', amount: 90_000, status: 'FAILED', failure_code: 'INVALID' };

  it('is good with our token and nothing else', () => {
    const tokens = ['token', 'tokem', '', 'token, token', ['token', 'token'], undefined];
    expect(tokens.map((each) => reader.verify({ 'x-callback-token': each }, bytes(''), '/'))).toEqual([
      ...[true, false, false, false, false, false],
    ]);
  });

  it('of an invoice has what came of it', () => {
    expect(reader.parse(bytes(invoice), {})).toEqual({
      dedupeKey: 'invoice:i1:PAID',
      invoiceNumber: 'INV-1-1',
      fact: {
        ...{ state: 'paid', invoiceNumber: 'INV-1-1', ref: 'i1', amount: 149_000, currency: 'IDR', channel: 'BCA' },
        ...{ paidAt: new Date('2026-11-20T07:00:00.123Z'), rawStatus: 'PAID', fee: 4_000 },
      },
    });
  });

  it.each([
    ['SETTLED', 'paid'],
    ['EXPIRED', 'expired'],
    ['PENDING', 'pending'],
    ['paid', 'pending'],
  ])('that says %s is %s', (status, state) => {
    expect(reader.parse(bytes({ ...invoice, status }), {}).fact).toMatchObject({ state, rawStatus: status });
  });

  it.each([
    ['payout.succeeded', 'succeeded'],
    ['payout.failed', 'failed'],
    ['payout.reversed', 'reversed'],
  ])('of a payout is told apart by its event %s', (event, state) => {
    expect(reader.parse(bytes({ event, business_id: 'b', created: 'x', data: payout }), {})).toEqual({
      dedupeKey: `payout:disb-1:${event}`,
      payout: { ref: 'disb-1', referenceId: 'w1', state, failure: 'INVALID' },
    });
  });

  it.each([
    ...unreadable,
    { ...invoice, id: undefined },
    { ...invoice, external_id: '' },
    { ...invoice, status: null },
    { ...invoice, paid_amount: '149000.5' },
    { ...invoice, event: 'invoice.paid' },
    { event: 'payout.succeeded', data: {} },
    { event: 'payout.unheard', data: payout },
  ])('is none: %j', (body) => {
    expect(() => reader.parse(bytes(body), {})).toThrow(Malformed);
  });
});

describe('a callback of C', () => {
  const account = { merchant: 'DS12345', key: 'test-secret' };
  const reader = duitkuNotices(account);
  const signature = duitkuCallbackSignature(account, '150000', 'INV-1-1');
  const fields = { merchantCode: 'DS12345', amount: '150000', merchantOrderId: 'INV-1-1', resultCode: '01', signature };
  const form = (change: Record<string, string> = {}) =>
    Buffer.from(String(new URLSearchParams({ ...fields, ...change })));
  const isGood = (raw: Buffer) => reader.verify({}, raw, '/');

  it('is good signed with our key, over the amount as it came, in letters of either case', () => {
    const amount = '150000.00';
    const other = duitkuCallbackSignature(account, amount, 'INV-1-1');
    expect(
      [form(), form({ signature: signature.toUpperCase() }), form({ amount, signature: other })].map(isGood),
    ).toEqual([...[true, true, true]]);
  });

  it('is bad otherwise', () => {
    const tries = [
      ...[form({ amount: '150001' }), form({ merchantOrderId: 'INV-1-2' }), form({ merchantCode: 'DS1' })],
      ...[form({ signature: '' }), form({ signature: signature.slice(1) }), Buffer.alloc(0)],
      ...[Buffer.from(`${form().toString()}&amount=1`), Buffer.from(`signature=x&${form().toString()}`)],
      Buffer.from(JSON.stringify(fields)),
    ];
    expect(tries.map(isGood)).toEqual(tries.map(() => false));
  });

  it('has no fact, since a good one can be turned into another, and its repeats have one key whatever its reference', () => {
    expect(isGood(form({ resultCode: '00', reference: 'invented' }))).toBe(true);
    // Amount and number run together in what is signed
    expect(isGood(form({ amount: '15000', merchantOrderId: '0INV-1-1' }))).toBe(true);
    expect(reader.parse(form({ resultCode: '00', reference: 'r1' }), {})).toEqual({
      ...{ dedupeKey: 'callback:INV-1-1:150000:00', invoiceNumber: 'INV-1-1' },
    });
    expect(reader.parse(form({ resultCode: '00', reference: 'r2' }), {}).dedupeKey).toBe('callback:INV-1-1:150000:00');
    expect(['01', '', '77'].map((resultCode) => reader.parse(form({ resultCode }), {}).dedupeKey)).toEqual([
      ...['callback:INV-1-1:150000:01', 'callback:INV-1-1:150000:other', 'callback:INV-1-1:150000:other'],
    ]);
  });

  it.each(['', '{}', 'merchantOrderId=&amount=1', `merchantOrderId=${'x'.repeat(65)}&amount=1`])(
    'is none: %s',
    (body) => {
      expect(() => reader.parse(Buffer.from(body), {})).toThrow(Malformed);
    },
  );
});
