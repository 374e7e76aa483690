import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { LogFile } from './log-file';
import { watchProcess, type Unit } from './unit';

const STOP_LIMIT_MS = 1_000;

const answersPing = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'));
    const answer = (yes: boolean) => (socket.destroy(), resolve(yes));
    socket.setTimeout(1_000, () => answer(false));
    socket.once('error', () => answer(false)).once('data', (data) => answer(data.toString().startsWith('+PONG')));
  });

export interface RedisOptions {
  readonly binary: string;
  readonly port: number;
  readonly folder: string;
  readonly log: LogFile;
}

/** A Redis that keeps what it holds over its end: messages that were taken wait there for their turn at bot-engine. */
export const redisUnit = ({ binary, port, folder, log }: RedisOptions): Unit => ({
  name: 'redis',
  lastLines: () => log.tail(),
  start: async () => {
    mkdirSync(folder, { recursive: true });
    const settings = {
      port,
      bind: '127.0.0.1',
      save: '',
      appendonly: 'yes',
      appendfsync: 'everysec',
      dir: folder,
      pidfile: join(folder, 'redis.pid'),
    };
    const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
    const child = log.use((output) => spawn(binary, args, { detached: true, stdio: ['ignore', output, output] }));
    return watchProcess(child, { isReady: () => answersPing(port), stopWithinMs: STOP_LIMIT_MS });
  },
});
