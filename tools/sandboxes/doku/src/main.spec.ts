import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { environment } from '@platform/runtime';
import { signatureOf, timestampOf } from './signature';

const ROOT = join(__dirname, '../../../..');
const folder = mkdtempSync(join(tmpdir(), 'doku-'));
afterAll(() => rmSync(folder, { recursive: true }));

const start = (settings: Record<string, string>, ...args: string[]) => {
  const child = spawn(process.execPath, ['-r', './tools/swc-hook.cjs', 'tools/sandboxes/doku/src/main.ts', ...args], {
    cwd: ROOT,
    env: { PATH: environment.PATH, ...settings },
  });
  const output = { out: '', err: '' };
  child.stdout.on('data', (chunk: Buffer) => (output.out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output.err += chunk.toString()));
  return { child, output };
};

const ACCOUNT = { PAY_A_CLIENT_ID: 'MCH-0001', PAY_A_SECRET: 'test-secret' };

const running = async () => {
  const { child, output } = start({ ...ACCOUNT, PORT: '0', SANDBOX_STATE: join(folder, 'doku.jsonl') });
  while (!output.out.includes('Nothing is charged here')) await once(child.stdout, 'data');
  return { child, line: output.out, url: /http:\/\/127\.0\.0\.1:\d+/.exec(output.out)?.[0] ?? '' };
};

const create = (url: string, invoice_number: string) => {
  const body = JSON.stringify({ order: { invoice_number, amount: 10_000 } });
  const signed = {
    ...{ clientId: 'MCH-0001', requestId: `req-${invoice_number}`, timestamp: timestampOf(new Date()) },
    ...{ target: '/checkout/v1/payment', body },
  };
  const headers = {
    ...{ 'Client-Id': signed.clientId, 'Request-Id': signed.requestId, 'Request-Timestamp': signed.timestamp },
    Signature: signatureOf(signed, ACCOUNT.PAY_A_SECRET),
  };
  return fetch(url + signed.target, { method: 'POST', headers, body });
};

describe('the DOKU sandbox as a process', () => {
  it('says what it is, and has after kill -9 what it had answered', async () => {
    const first = await running();
    expect(first.line).toContain('SANDBOX DOKU on http://127.0.0.1:');
    const numbers = Array.from({ length: 20 }, (_, index) => `INV-${index}`);
    const answered: string[] = [];
    const calls = numbers.map(async (number, index) => {
      const answer = await create(first.url, number);
      await answer.json();
      answered.push(number);
      if (index === 10) first.child.kill('SIGKILL');
    });
    await Promise.allSettled(calls);
    const second = await running();
    const kept = (await (await fetch(`${second.url}/__sandbox/payments`)).json()) as { invoice: string }[];
    expect(kept.map(({ invoice }) => invoice)).toEqual(expect.arrayContaining(answered));
    expect((await create(second.url, answered[0] ?? '')).status).toBe(409);
    second.child.kill('SIGTERM');
    expect(await once(second.child, 'exit')).toEqual([0, null]);
  });

  it('explains itself with --help and refuses production', async () => {
    const help = start({}, '--help');
    expect(await once(help.child, 'close')).toEqual([0, null]);
    expect(help.output.out).toContain('PAY_A_CLIENT_ID and PAY_A_SECRET');
    const production = start({ PORT: '0', APP_ENV: 'production', SANDBOX_STATE: join(folder, 'p.jsonl') });
    expect(await once(production.child, 'close')).toEqual([1, null]);
    expect(production.output.err).toContain('APP_ENV=production');
  });
});
