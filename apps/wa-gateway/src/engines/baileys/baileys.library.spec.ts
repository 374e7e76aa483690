import type { Logger } from '@platform/runtime';
import { libraryLogger, loadLibrary, silenceConsole } from './baileys.library';

const recorded = () => {
  const lines: unknown[] = [];
  const write = (message: string, fields?: object) => void lines.push([message, fields]);
  const logger: Logger = { debug: write, info: write, warn: write, error: write, child: () => logger };
  return { lines, logger };
};

it('a session that libsignal prints goes nowhere, its headline to the debug log', () => {
  const { lines, logger } = recorded();
  const printed: unknown[] = [];
  const write = (...line: unknown[]): void => void printed.push(line);
  const target = { info: write, warn: write, error: write };
  silenceConsole(logger, target);
  target.info('Closing session:', { privKey: 'secret' });
  target.warn({ privKey: 'secret' });
  target.error('Session error:', new Error('secret'));
  expect(printed).toEqual([]);
  expect(lines.map((line) => JSON.stringify(line))).toEqual([
    '["a library wrote to the console",{"line":"Closing session:"}]',
    '["a library wrote to the console",{"line":"Session error:"}]',
  ]);
});

it('of what the client library logs only the text is kept', () => {
  const { lines, logger } = recorded();
  const adapter = libraryLogger(logger).child({ class: 'baileys' });
  adapter.error({ key: 'secret' }, 'failed to decrypt message');
  adapter.info({ key: 'secret' }, 'logging in');
  adapter.warn('plain');
  expect(lines).toEqual([
    ['the client library reports', { text: 'failed to decrypt message' }],
    ['the client library reports', { text: 'plain' }],
  ]);
});

it('a library that could not be loaded, as when files ran out, is loaded again for the next device', async () => {
  const host = globalThis as { nativeImport?: (specifier: string) => Promise<unknown> };
  const before = host.nativeImport;
  const failing = jest.fn().mockRejectedValueOnce(new Error('EMFILE')).mockResolvedValue({ makeWASocket: 'loaded' });
  host.nativeImport = failing;
  const { logger } = recorded();
  await expect(loadLibrary({ logger })).rejects.toThrow('EMFILE');
  expect(await loadLibrary({ logger })).toEqual({ makeWASocket: 'loaded' });
  expect(await loadLibrary({ logger })).toEqual({ makeWASocket: 'loaded' });
  host.nativeImport = before;
  expect(failing.mock.calls).toEqual([['node:module'], ['node:module'], ['baileys']]);
});
