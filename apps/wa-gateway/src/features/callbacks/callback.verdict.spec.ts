import type { CallbackPayload } from '@platform/contracts';
import type { OutgoingRow, Verdict } from '@platform/outbox';
import { fixedClock } from '@platform/runtime';
import { useReceiver, type Answer } from '../../receiver.fixture';
import { CallbackDelivery } from './callback.delivery';
import type { CallbackRow } from './callback.row';

const clock = fixedClock('2026-11-20T10:00:00Z');
const patience = { giveUpSeconds: 86_400, refusedSeconds: 900 };
const picture = { name: 'a.png', mimetype: 'image/png', bytes: Buffer.from([0, 13, 10, 255]) };
const delivery = new CallbackDelivery({
  patience,
  clock,
  secretOf: () => Promise.resolve(undefined),
  fileOf: () => Promise.resolve(picture),
});
const receiver = useReceiver();
afterAll(() => delivery.stop());
beforeEach(() => receiver.reset());

const base = { instanceID: 'toko-1', result: true, number: '628123456789@s.whatsapp.net', id: '3EB1' };
const message: CallbackPayload = { ...base, report: false, text: 'ada stok?' };
const status = (level: string): CallbackPayload => ({ ...base, report: true, status: level });

const rowOf = (payload: CallbackRow, attempt = 1, target = receiver.url): OutgoingRow<CallbackRow> => ({
  id: '1',
  eventId: '01990000-0000-7000-8000-000000000001',
  lane: 'l',
  target,
  kind: 'callback',
  payload,
  attempt,
  failures: 0,
  triedSeconds: null,
  createdAt: clock.now(),
});
const verdictOn = (callback: CallbackPayload, answer: Answer, attempt = 1): Promise<Verdict> => {
  receiver.answer = () => answer;
  return delivery.deliver(rowOf({ callback }, attempt), new AbortController().signal);
};
const refused = (text: string, code?: string): Answer => ({ body: { result: false, message: text, code } });
const unspent = (reason: string, more: object = {}) => ({
  verdict: 'retry',
  reason,
  spend: false,
  maxAgeSeconds: patience.giveUpSeconds,
  ...more,
});

describe('a callback is delivered', () => {
  it.each<[string, Answer]>([
    ['JSON with result true', { body: { result: true } }],
    ['JSON without a result', { body: { ok: 1 } }],
    ['JSON null', { body: 'null' }],
    ['no JSON', { body: 'thank you' }],
    ['202 and nothing', { status: 202 }],
    ['more than 64 KB', { body: 'x'.repeat(200_000) }],
  ])('by %s', async (_, answer) => {
    expect(await verdictOn(message, answer)).toEqual({ verdict: 'done', outcome: String(answer.status ?? 200) });
  });

  it('when the receiver does not know the status pending', async () => {
    expect(await verdictOn(status('pending'), refused('message update not valid'))).toEqual({
      verdict: 'done',
      outcome: 'pending refused',
    });
  });
});

describe('a refused callback', () => {
  it.each([
    ['missing required fields', status('sent')],
    ['invalid number format', status('sent')],
    ['Callback result false', message],
    ['message update not valid', status('viewed')],
  ])('"%s" is final', async (text, callback) => {
    expect(await verdictOn(callback, refused(text))).toEqual({ verdict: 'dead', reason: `refused: ${text}` });
  });

  it.each([
    ['internal', message],
    ['internal', status('sent')],
    ['device_not_found', message],
    ['team_not_found', message],
  ])('with code %s counts as an outage', async (code, callback) => {
    expect(await verdictOn(callback, refused('gagal', code))).toEqual(unspent('refused: gagal'));
  });

  it('of a status for another reason is tried again after 1, 2, 4, 8, 16 and 32 s, then it is final', async () => {
    const verdicts = [];
    for (let attempt = 1; attempt <= 7; attempt++)
      verdicts.push(await verdictOn(status('sent'), refused('unknown id', 'device_not_found'), attempt));
    const reason = 'refused: unknown id';
    expect(verdicts).toEqual([
      ...[1, 2, 4, 8, 16, 32].map((afterSeconds) => ({ verdict: 'retry', reason, spend: true, afterSeconds })),
      { verdict: 'dead', reason },
    ]);
  });

  it('of a message for another reason is tried again for 15 minutes, and never fewer than ten times', async () => {
    const retry = { verdict: 'retry', reason: 'refused: chat_busy', spend: true };
    expect(await verdictOn(message, refused('chat_busy'))).toEqual(retry);
    expect(await verdictOn(message, refused('chat_busy'), 9)).toEqual(retry);
    expect(await verdictOn(message, refused('chat_busy'), 10)).toEqual({ ...retry, maxAgeSeconds: 900 });
  });
});

describe('an outage of the receiver', () => {
  it.each([408, 425, 429, 500, 501])('with HTTP %d is waited out for a day', async (code) => {
    expect(await verdictOn(message, { status: code })).toEqual(
      unspent(`HTTP ${code}`, { afterSeconds: undefined, transport: false }),
    );
  });

  it.each([502, 503, 504])("with HTTP %d opens the receiver's breaker too", async (code) => {
    expect(await verdictOn(message, { status: code })).toEqual(
      unspent(`HTTP ${code}`, { afterSeconds: undefined, transport: true }),
    );
  });

  it.each([
    ['7', 7],
    [new Date(clock.now().getTime() + 90_000).toUTCString(), 90],
    ['999999', 3_600],
    ['soon', undefined],
  ])('with Retry-After %s is waited out for as long as asked', async (header, afterSeconds) => {
    expect(await verdictOn(message, { status: 429, headers: { 'retry-after': header } })).toEqual(
      unspent('HTTP 429', { afterSeconds, transport: false }),
    );
  });

  it('without any answer counts towards the breaker', async () => {
    const row = rowOf({ callback: message }, 1, 'http://127.0.0.1:1/v1');
    expect(await delivery.deliver(row, new AbortController().signal)).toEqual(
      unspent('no answer: callback receiver did not answer', { transport: true }),
    );
  });

  it('that never answers ends when the outbox says so', async () => {
    receiver.answer = () => new Promise<Answer>(() => undefined);
    const call = new AbortController();
    const pending = delivery.deliver(rowOf({ callback: message }), call.signal);
    call.abort();
    expect(await pending).toEqual(unspent('no answer: callback receiver did not answer', { transport: true }));
  });
});

describe('a misconfigured callback', () => {
  it('that the receiver cannot read, HTTP 400, is final after three tries', async () => {
    const retry = { verdict: 'retry', reason: 'HTTP 400', spend: true };
    expect(await verdictOn(message, { status: 400 })).toEqual(retry);
    expect(await verdictOn(message, { status: 400 }, 2)).toEqual(retry);
    expect(await verdictOn(message, { status: 400 }, 3)).toEqual({ verdict: 'dead', reason: 'HTTP 400' });
  });

  it.each([302, 401, 403, 404, 413, 422, 418])(
    'that an operator must mend, HTTP %d, is tried again every 5 minutes',
    async (code) => {
      const headers = code === 302 ? { location: 'http://127.0.0.1:1/' } : undefined;
      expect(await verdictOn(message, { status: code, headers })).toEqual(
        unspent(`HTTP ${code}`, { afterSeconds: 300 }),
      );
      expect(receiver.calls).toHaveLength(1);
    },
  );
});

describe('the file of a callback', () => {
  it('travels as the last part, byte for byte', async () => {
    await delivery.deliver(
      rowOf({ callback: message, file: { key: 'x', mimetype: 'image/png' } }),
      new AbortController().signal,
    );
    expect(receiver.calls[0]?.file).toEqual({ name: 'a.png', type: 'image/png', bytes: picture.bytes });
    expect(receiver.calls[0]?.raw.lastIndexOf('name="file"')).toBeGreaterThan(
      receiver.calls[0]?.raw.lastIndexOf('name="id"') ?? 0,
    );
  });

  it('waits while too many bytes are in flight, and a text does not', async () => {
    const tight = new CallbackDelivery({
      patience,
      clock,
      secretOf: () => Promise.resolve(undefined),
      fileOf: () => Promise.resolve(picture),
      inflightBytes: 10,
    });
    const rows = [8, 8, 0].map((size) =>
      rowOf(
        size === 0 ? { callback: message } : { callback: message, file: { key: 'x', mimetype: 'image/png', size } },
      ),
    );
    const verdicts = await Promise.all(rows.map((row) => tight.deliver(row, new AbortController().signal)));
    expect(verdicts.map(({ verdict }) => verdict)).toEqual(['done', 'retry', 'done']);
    expect(await tight.deliver(rowOf(rows[1]?.payload as CallbackRow), new AbortController().signal)).toMatchObject({
      verdict: 'done',
    });
    await tight.stop();
  });

  it('that is too large for the receiver is left out at once', async () => {
    receiver.answer = ({ file }) => (file ? { status: 413 } : { body: { result: true } });
    const verdict = await delivery.deliver(
      rowOf({ callback: message, file: { key: 'x', mimetype: 'image/png' } }),
      new AbortController().signal,
    );
    expect(verdict).toEqual({ verdict: 'done', outcome: '200' });
    expect(receiver.calls.map(({ file }) => file?.name)).toEqual(['a.png', undefined]);
  });
});
