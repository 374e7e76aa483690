import { spawn, type ChildProcess } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { generateSigningKey, publicJwks, tokenSigner } from '@platform/auth';
import { environment, uuidv7 } from '@platform/runtime';

const ROOT = join(__dirname, '../../..');

export interface BotProcess {
  readonly url: string;
  readonly output: () => string;
  /** The process is gone when it resolves, with its exit code or signal. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | string | null>;
}

const gone = (child: ChildProcess): Promise<number | string | null> =>
  new Promise((resolve) => child.once('exit', (code, signal) => resolve(code ?? signal)));

/** `main.ts` in a process of its own; resolves when it says that it is ready, rejects with its output when it ends before. */
export const startBotProcess = (
  settings: Record<string, string>,
  args: readonly string[] = [],
): Promise<BotProcess> => {
  const child = spawn(process.execPath, ['-r', './tools/swc-hook.cjs', 'apps/bot-engine/src/main.ts', ...args], {
    cwd: ROOT,
    env: { PATH: environment.PATH, HOME: environment.HOME, PORT: '0', HOST: '127.0.0.1', ...settings },
  });
  const ended = gone(child);
  let output = '';
  return new Promise((resolve, reject) => {
    const hear = (chunk: Buffer) => {
      output += chunk.toString();
      const url = /"message":"ready","url":"([^"]+)"/.exec(output)?.[1];
      if (!url) return;
      resolve({
        url,
        output: () => output,
        end: (signal) => {
          child.kill(signal);
          return ended;
        },
      });
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    void ended.then((code) => reject(new Error(`ended with ${code}: ${output}`)));
  });
};

/** Runs one command of `main.ts` to its end; its output when it succeeds. */
export const runCommand = (settings: Record<string, string>, ...args: string[]): Promise<string> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['-r', './tools/swc-hook.cjs', 'apps/bot-engine/src/main.ts', ...args], {
      cwd: ROOT,
      env: { PATH: environment.PATH, HOME: environment.HOME, ...settings },
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    void gone(child).then((code) => (code === 0 ? resolve(output) : reject(new Error(`${code}: ${output}`))));
  });

/** What a process needs of store-auth: its public keys; and a token that they verify. */
export const startKeyServer = async () => {
  const key = await generateSigningKey();
  const server = createServer((_, response) => response.end(JSON.stringify(publicJwks([key]))));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const subject = { aud: 'bot-engine', sub: 'svc:chat-backend', store_id: '', role: 'service' as const };
  const { token } = tokenSigner({ currentKey: () => key }).sign(
    'service+jwt',
    { ...subject, teams: [], email: '', sid: 'svc', jti: uuidv7() },
    600,
  );
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    token,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
};
