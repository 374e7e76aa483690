import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { environment } from '@platform/runtime';

const ROOT = join(__dirname, '../../../..');
const started: ChildProcessWithoutNullStreams[] = [];
const start = (file: string, settings: Record<string, string> = {}, ...flags: string[]) => {
  const source = `tools/sandboxes/whatsapp/src/${file}`;
  const child = spawn(process.execPath, ['-r', './tools/swc-hook.cjs', source, ...flags], {
    cwd: ROOT,
    env: { PATH: environment.PATH, ...settings },
  });
  started.push(child);
  const output = { out: '', err: '' };
  child.stdout.on('data', (chunk: Buffer) => (output.out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output.err += chunk.toString()));
  const says = async (what: string): Promise<void> => {
    while (!output.out.includes(what)) await once(child.stdout, 'data');
  };
  // And everything that it said has been read
  const closed = once(child, 'close').then(([code]) => code as number | null);
  return { child, output, says, closed, ask: (line: object) => child.stdin.write(`${JSON.stringify(line)}\n`) };
};
const ended = ({ closed }: ReturnType<typeof start>): Promise<unknown> => closed;

afterAll(() => {
  for (const child of started) if (child.exitCode === null) child.kill('SIGKILL');
});

describe('the sandbox of WhatsApp as a process', () => {
  it('states that it is not WhatsApp, and lets two phones talk through it', async () => {
    const server = start('main.ts', { PORT: '0', MEDIA_PORT: '0' });
    await server.says('WA_MEDIA_CA=');
    expect(server.output.out).toContain('This is not WhatsApp');
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(server.output.out)?.[0] ?? '';
    const ani = start('phone.main.ts', { SANDBOX_URL: url, NUMBER: '628180000001', NAME: 'Ani' });
    const budi = start('phone.main.ts', { SANDBOX_URL: url, NUMBER: '628180000002', NAME: 'Budi' });
    await Promise.all([ani.says('"ready"'), budi.says('"ready"')]);
    ani.ask({ do: 'send', to: '628180000002', text: 'halo dari baris perintah' });
    await budi.says('"text":"halo dari baris perintah"');
    budi.ask({ do: 'read' });
    await ani.says('"type":"read"');
    budi.ask({ do: 'dance' });
    await budi.says('"event":"failed"');
    for (const { child } of [ani, budi]) child.stdin.end();
    expect([await ended(ani), await ended(budi)]).toEqual([0, 0]);
    expect(ani.output.err + budi.output.err + server.output.err).toBe('');
    server.child.kill('SIGTERM');
    expect(await ended(server)).toBe(0);
  });

  it('explains itself with --help', async () => {
    const [server, phone] = [start('main.ts', {}, '--help'), start('phone.main.ts', {}, '--help')];
    expect([await ended(server), await ended(phone)]).toEqual([0, 0]);
    expect(server.output.out).toContain('PORT, 3108 unless given');
    expect(phone.output.out).toContain('{"do":"send"');
  });

  it('refuses production and every address that is not loopback', async () => {
    const [production, reachable] = [
      start('main.ts', { APP_ENV: 'production', PORT: '0', MEDIA_PORT: '0' }),
      start('main.ts', { HOST: '0.0.0.0', PORT: '0', MEDIA_PORT: '0' }),
    ];
    expect([await ended(production), await ended(reachable)]).toEqual([1, 1]);
    expect(production.output.err).toContain('APP_ENV=production');
    expect(reachable.output.err).toContain('HOST=0.0.0.0 is refused');
  });
});
