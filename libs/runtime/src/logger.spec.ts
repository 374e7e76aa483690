import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { endContext, runInContext } from './context';
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

  it('writes the ids of the request that is running, and none once it is over', async () => {
    const context = { requestId: 'r1', traceId: 'a'.repeat(32) };
    let later: Promise<void> | undefined;
    await runInContext(context, async () => {
      logger.info('asked', { ms: 3 });
      later = new Promise<void>(setImmediate).then(() => logger.info('of nobody'));
    });
    endContext(context);
    await later;
    expect(lines.map(({ time: _time, ...line }) => line)).toEqual([
      { level: 'info', service: 'test', message: 'asked', ms: 3, ...context },
      { level: 'info', service: 'test', message: 'of nobody' },
    ]);
  });

  it('writes nothing below its level', () => {
    logger.debug('chatter');
    expect(lines).toEqual([]);
  });

  it('never writes secrets, however deep they are', () => {
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

describe('the logger of flat fields (fast path)', () => {
  it('finds secret names and texts in them too', () => {
    logger.info('request', { method: 'POST', Token: 'canary-secret' });
    logger.info('request', { route: 'Bearer canary-secret' });
    logger.info('request', { route: '/v1/echo', gone: undefined });
    expect(lines.map(({ time: _, ...line }) => line)).toEqual([
      { level: 'info', service: 'test', message: 'request', method: 'POST', Token: '[redacted]' },
      { level: 'info', service: 'test', message: 'request', route: 'Bearer [redacted]' },
      { level: 'info', service: 'test', message: 'request', route: '/v1/echo' },
    ]);
  });
});

describe('the logger of a process that exits', () => {
  const run = (script: string): string[] => {
    const hook = join(__dirname, '../../../tools/swc-hook.cjs');
    const program = `const logger = require(${JSON.stringify(join(__dirname, 'logger.ts'))}).createLogger({ service: 'child' }); ${script}`;
    const { stdout } = spawnSync(process.execPath, ['-r', hook, '-e', program], { encoding: 'utf8' });
    return stdout
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { message: string }).message);
  };

  it('writes every line in order, whether the process ends by itself, by exit or by an error', () => {
    const log = "for (const n of ['1', '2', '3']) logger.info(n); logger.error('4'); logger.info('5');";
    const all = ['1', '2', '3', '4', '5'];
    expect(run(log)).toEqual(all);
    expect(run(`${log} process.exit(0)`)).toEqual(all);
    expect(run(`${log} throw new Error('crash')`)).toEqual(all);
  });
});

describe('redact', () => {
  it.each(['Public-Key', 'appsecret_proof', 'fb_exchange_token', 'input_token', 'credit', 'x-payment-reference'])(
    '%s, with which an ad account is moved or paid, is not told',
    (name) => expect(redact({ sent: { [name]: 'x' } })).toEqual({ sent: { [name]: '[redacted]' } }),
  );

  it('a password in an address is redacted to its last letter, an @ within it too', () =>
    expect(redact('no answer from postgres://role:p@ss:w@rd@db:5432/shop, redis://:x@cache:6379')).toBe(
      'no answer from postgres://role:[redacted]@db:5432/shop, redis://:[redacted]@cache:6379',
    ));

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
