// Preloaded into measured servers: answers the bench's questions about their process.
import { createRequire } from 'node:module';
import { Client } from 'pg';
import type { RecordedStatement } from './server-process';

/** How `pg` serialises a parameter; not part of its typed API. */
const { prepareValue } = createRequire(__filename)('pg/lib/utils') as { prepareValue: (value: unknown) => unknown };

type Query = typeof Client.prototype.query;

const original: Query = Client.prototype.query;
let recording = false;
let recorded: RecordedStatement[] = [];

/**
 * Notes every named statement with its parameters as they go over the wire. In place before any connection is made: a pool
 * binds the method of each of its clients when it connects.
 */
Client.prototype.query = function (this: Client, ...args: unknown[]): unknown {
  const [config] = args as [{ name?: string; text: string; values?: unknown[] }];
  if (recording && config.name) recorded.push({ text: config.text, values: (config.values ?? []).map(asWireText) });
  return (original as (...args: unknown[]) => unknown).apply(this, args);
} as Query;

const asWireText = (value: unknown): string | null => {
  const prepared = prepareValue(value);
  return prepared === null || prepared === undefined ? null : String(prepared);
};

const answers: Record<string, () => unknown> = {
  cpu: () => {
    const { user, system } = process.cpuUsage();
    return user + system;
  },
  record: () => {
    recorded = [];
    recording = true;
    return true;
  },
  recorded: () => {
    recording = false;
    return recorded;
  },
};

process.on('message', (question: string) => process.send?.(answers[question]?.()));
// The bench was killed: nothing else would stop this server.
process.on('disconnect', () => process.exit(0));
