// Preloaded into measured servers: answers the bench's questions about their process.
import { createRequire } from 'node:module';
import { Client } from 'pg';
import { requestContext } from '@platform/runtime';
import type { RecordedStatement } from './server-process';

/** How `pg` serialises a parameter; not part of its typed API. */
const { prepareValue } = createRequire(__filename)('pg/lib/utils') as { prepareValue: (value: unknown) => unknown };

type Query = typeof Client.prototype.query;

const original: Query = Client.prototype.query;
let recording: 'named' | 'of requests' | undefined;
let recorded: RecordedStatement[] = [];

interface Asked {
  readonly name?: string;
  readonly text: string;
  readonly values?: readonly unknown[];
}

/** What goes over the wire in one write. */
interface Together {
  readonly statements: readonly Asked[];
}

const isRequests = (): boolean => {
  const id = requestContext()?.requestId;
  return id !== undefined && !id.startsWith('job-');
};

/**
 * Notes statements with their parameters as they go over the wire: every named one, or every one that a request sends. In place
 * before any connection is made: a pool binds the method of each of its clients when it connects.
 */
Client.prototype.query = function (this: Client, ...args: unknown[]): unknown {
  const [first, second] = args as [string | Asked | Together, unknown[]?];
  const asked: Asked = typeof first === 'string' ? { text: first, values: second } : (first as Asked);
  for (const { name, text, values = [] } of (first as Partial<Together>).statements ?? [asked])
    if (recording === 'named' ? name : recording && isRequests())
      recorded.push({ text, values: values.map(asWireText) });
  return (original as (...args: unknown[]) => unknown).apply(this, args);
} as Query;

const asWireText = (value: unknown): string | null => {
  const prepared = prepareValue(value);
  return prepared === null || prepared === undefined ? null : String(prepared);
};

const begin = (what: typeof recording): boolean => {
  recorded = [];
  recording = what;
  return true;
};

const answers: Record<string, () => unknown> = {
  cpu: () => {
    const { user, system } = process.cpuUsage();
    return user + system;
  },
  memory: () => process.memoryUsage.rss(),
  record: () => begin('named'),
  'record requests': () => begin('of requests'),
  recorded: () => {
    recording = undefined;
    return recorded;
  },
};

process.on('message', (question: string) => process.send?.(answers[question]?.()));
// The bench was killed: nothing else would stop this server.
process.on('disconnect', () => process.exit(0));
