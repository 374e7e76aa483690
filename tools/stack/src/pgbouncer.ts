import { spawn } from 'node:child_process';
import { connect } from 'node:net';
import { pgBouncerCommand, type PgBouncerOptions } from '@platform/postgres';
import type { LogFile } from './log-file';
import { watchProcess, type Unit } from './unit';

const STOP_LIMIT_MS = 1_000;
/** For each of the six roles. */
const SESSIONS = 10;

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => (socket.destroy(), resolve(true)));
    socket.once('error', () => resolve(false));
  });

/** A PgBouncer in transaction mode between the services and their database, as a production has one. */
export const pgBouncerUnit = (options: Omit<PgBouncerOptions, 'sessions'>, log: LogFile): Unit => ({
  name: 'pgbouncer',
  lastLines: () => log.tail(),
  start: async () => {
    const [file, args, more] = pgBouncerCommand({ ...options, sessions: SESSIONS });
    const child = log.use((output) => spawn(file, args, { ...more, stdio: ['ignore', output, output] }));
    return watchProcess(child, { isReady: () => answers(options.port), stopWithinMs: STOP_LIMIT_MS });
  },
});
