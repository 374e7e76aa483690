import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { environment } from '@platform/runtime';

const ROOT = join(__dirname, '../../../..');
const start = (settings: Record<string, string>) => {
  const child = spawn(process.execPath, ['-r', './tools/swc-hook.cjs', 'tools/sandboxes/llm/src/main.ts'], {
    cwd: ROOT,
    env: { PATH: environment.PATH, ...settings },
  });
  const output = { out: '', err: '' };
  child.stdout.on('data', (chunk: Buffer) => (output.out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output.err += chunk.toString()));
  return { child, output };
};

describe('the sandbox model server as a process', () => {
  it('states that it is not a model, answers, and ends on SIGTERM', async () => {
    const { child, output } = start({ PORT: '0' });
    while (!output.out.includes('Anthropic clients http')) await once(child.stdout, 'data');
    expect(output.out).toContain('This is not a model');
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(output.out)?.[0] ?? '';
    const models = await fetch(`${url}/v1/models`, { headers: { authorization: 'Bearer key' } });
    expect([models.status, models.headers.get('x-sandbox')]).toEqual([200, 'true']);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it('refuses production unless it is allowed by name', async () => {
    const { child, output } = start({ PORT: '0', APP_ENV: 'production' });
    expect(await once(child, 'close')).toEqual([1, null]);
    expect(output.err).toContain('ALLOW_SANDBOX_LLM=1');
    const allowed = start({ PORT: '0', APP_ENV: 'production', ALLOW_SANDBOX_LLM: '1' });
    await once(allowed.child.stdout, 'data');
    allowed.child.kill('SIGTERM');
    await once(allowed.child, 'exit');
  });
});
