import { connect } from 'node:net';
import { BACKGROUND } from './database';
import type { MeasuredServer, RecordedStatement } from './server-process';

/** What replaces `{id}` and `{key}` in the recorded request, to be recognised among the parameters. */
const ID = 'bench-0123456789abcd';
const ID_BEFORE = 'bench-before-abcdefg';
const KEY_DIGITS = '3141592653';

const background = new RegExp(BACKGROUND);
const WHOLE_UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

export const keyMarker = (width: number): string => KEY_DIGITS.slice(0, width);

const send = (port: number, request: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1' }, () => socket.write(request));
    socket.once('error', reject).once('data', () => {
      socket.destroy();
      resolve();
    });
  });

const quoted = (value: string): string => `'${value.replaceAll("'", "''")}'`;

/** A parameter as SQL text in which the parts that vary between requests are expressions. Without a width there is no key. */
const literal = (value: string | null, width: number, writes: boolean): string => {
  if (value === null) return 'NULL';
  const keyed =
    width === 0
      ? quoted(value)
      : quoted(value).replaceAll(keyMarker(width), `' || lpad((:key)::text, ${width}, '0') || '`);
  const text = keyed.replaceAll(ID, "' || replace(gen_random_uuid()::text, '-', '') || '");
  // Only in the JSON of a write are UUIDs ids of new rows; elsewhere they identify what is read
  const fresh =
    writes && (value.startsWith('[') || value.startsWith('{"'))
      ? text.replaceAll(UUID, "' || gen_random_uuid() || '")
      : text;
  if (fresh === quoted(value)) return fresh;
  // A bare literal would take the type of what it is compared with
  return WHOLE_UUID.test(value) ? `(${fresh})::uuid` : `(${fresh})`;
};

const inlined = ({ text, values }: RecordedStatement, width: number, writes: boolean): string =>
  text.replaceAll(/\$(\d+)/g, (_, number: string) => literal(values[Number(number) - 1] ?? null, width, writes));

/**
 * The statements that the service really sends for one request (with the placeholders of `LoadJob`), its parameters written
 * into them: `:key` is left as the one variable. What is cached after the first request is left out. Once per request and server:
 * a message that is stored already takes another way. Throws when there was none: a ceiling of nothing measures nothing.
 */
export const recordedSql = async (
  server: MeasuredServer,
  request: string,
  keyWidth: number,
  record: MeasuredServer['record'] = server.record,
): Promise<string[]> => {
  const once = (id: string) => request.replaceAll('{id}', id).replaceAll('{key}', keyMarker(keyWidth));
  await send(server.port, once(ID_BEFORE));
  const statements = await record(() => send(server.port, once(ID)));
  const own = statements.filter(({ text }) => !background.test(text));
  if (own.length === 0) throw new Error('the server sent no statement for the request that was to be recorded');
  const writes = request.includes('{id}');
  return own.map((statement) => inlined(statement, keyWidth, writes));
};

/** The same of reads that are not prepared under a name, with everything that the answered requests of `work` send. */
export const recordedReads = async (server: MeasuredServer, work: () => Promise<unknown>): Promise<string[]> => {
  await work();
  const statements = await server.recordRequests(work);
  if (statements.length === 0) throw new Error('the server sent no statement for the request that was to be recorded');
  return statements.map((statement) => inlined(statement, 0, false));
};
