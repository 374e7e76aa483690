import { createLogger } from './logger';
import { redact } from './redaction';

const lines: Record<string, unknown>[] = [];
const logger = createLogger({
  service: 'test',
  write: (line) => lines.push(JSON.parse(line) as Record<string, unknown>),
});
beforeEach(() => void (lines.length = 0));

describe('the logger', () => {
  it('writes one JSON line with bound and own fields', () => {
    logger.child({ requestId: 'r1' }).info('done', { ms: 3 });
    expect(lines).toEqual([
      {
        level: 'info',
        time: expect.stringMatching(/^\d{4}-.*Z$/),
        service: 'test',
        message: 'done',
        requestId: 'r1',
        ms: 3,
      },
    ]);
  });

  it('writes nothing below its level', () => {
    logger.debug('chatter');
    expect(lines).toEqual([]);
  });

  it('never writes secrets, wherever they hide', () => {
    const canary = 'canary-secret';
    const jwt = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl';
    logger.error('failed', {
      password: canary,
      nested: { token: canary, list: [{ authorization: `Bearer ${canary}` }] },
      header: `Bearer ${canary}`,
      basic: 'Basic Y2FuYXJ5LXNlY3JldA==',
      jwt: `token ${jwt}`,
      url: `postgres://user:${canary}@host/db`,
      pesan: canary,
      text: canary,
      cause: Object.assign(new Error(`Bearer ${canary}`), { parameters: [canary], cause: { secret: canary } }),
    });
    const printed = JSON.stringify(lines);
    expect(printed).not.toContain(canary);
    expect(printed).not.toContain(jwt);
    expect(printed).not.toContain('Y2FuYXJ5');
    expect(lines[0]).toMatchObject({
      url: 'postgres://user:[redacted]@host/db',
      cause: { name: 'Error', message: 'Bearer [redacted]' },
    });
  });
});

describe('redact', () => {
  it('keeps what says what went wrong and cuts what is endless', () => {
    const circular: { self?: unknown; code?: string } = {};
    circular.self = circular;
    expect(JSON.stringify(redact(circular))).toContain('[deep]');
    expect(
      redact({ at: new Date(0), big: 10n, error: Object.assign(new Error('x'), { code: 'ECONNREFUSED' }) }),
    ).toEqual({
      at: '1970-01-01T00:00:00.000Z',
      big: '10',
      error: { name: 'Error', message: 'x', reason: 'ECONNREFUSED', stack: expect.stringContaining('Error: x') },
    });
  });
});
