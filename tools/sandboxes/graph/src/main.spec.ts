import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { environment } from '@platform/runtime';

const ROOT = join(__dirname, '../../../..');
const start = (settings: Record<string, string>, ...args: string[]) => {
  const child = spawn(process.execPath, ['-r', './tools/swc-hook.cjs', 'tools/sandboxes/graph/src/main.ts', ...args], {
    cwd: ROOT,
    env: { PATH: environment.PATH, ...settings },
  });
  const output = { out: '', err: '' };
  child.stdout.on('data', (chunk: Buffer) => (output.out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output.err += chunk.toString()));
  return { child, output };
};

describe("the sandbox of Meta's Graph API as a process", () => {
  it('states that it is a sandbox, answers, and ends on SIGTERM', async () => {
    const { child, output } = start({ PORT: '0' });
    while (!output.out.includes('This is not Meta')) await once(child.stdout, 'data');
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(output.out)?.[0] ?? '';
    const answer = await fetch(`${url}/__sandbox/wa/messages`);
    expect([answer.headers.get('x-graph-sandbox'), await answer.json()]).toEqual(['1', { messages: [] }]);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it('explains itself with --help and refuses production', async () => {
    const help = start({}, '--help');
    expect(await once(help.child, 'close')).toEqual([0, null]);
    expect(help.output.out).toContain('phone_number_id 106540352242922, token sandbox-token');
    const production = start({ PORT: '0', APP_ENV: 'production' });
    expect(await once(production.child, 'close')).toEqual([1, null]);
    expect(production.output.err).toContain('APP_ENV=production');
  });
});
