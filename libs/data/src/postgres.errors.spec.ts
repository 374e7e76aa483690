import { Unavailable } from '@platform/errors';
import {
  isRefusedForEver,
  isStalePlan,
  isTransient,
  isUniqueViolation,
  mayBeCommitted,
  sqlState,
  translated,
} from './postgres.errors';

const failure = (code?: unknown, message = 'failed', more: object = {}) =>
  Object.assign(new Error(message), { code, ...more });
/** As TypeORM throws it. */
const wrapped = (inner: Error) => Object.assign(new Error('QueryFailedError'), { driverError: inner });

describe('an unreachable database', () => {
  it.each([
    ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'],
    ...['08006', '08P01', '57P01', '57P02', '57P03', '53300'],
  ])('the code %s is Unavailable, with its cause', (code) => {
    for (const error of [failure(code), wrapped(failure(code))]) {
      const told = translated(error);
      expect(told).toBeInstanceOf(Unavailable);
      expect(told).toMatchObject({
        message: 'The database cannot be reached. Try again shortly.',
        retryAfterSeconds: 1,
        cause: error,
      });
    }
  });

  it.each([
    'Connection terminated unexpectedly',
    'timeout exceeded when trying to connect',
    'timeout expired',
    'Client has encountered a connection error and is not queryable',
    'Client was closed and is not queryable',
    'Cannot use a pool after calling end on the pool',
  ])('the text "%s" without a code is Unavailable', (message) =>
    expect(translated(failure(undefined, message))).toBeInstanceOf(Unavailable),
  );

  it.each(['ENOENT', 'EAGAIN'])(
    'a Unix socket that nobody listens on, or too many wait for (%s), is Unavailable',
    (code) => expect(translated(failure(code, 'failed', { syscall: 'connect' }))).toBeInstanceOf(Unavailable),
  );

  it.each<[string, unknown]>([
    ['a file that is missing', failure('ENOENT', 'failed', { syscall: 'open' })],
    ['a refused statement', failure('42P01')],
    ['a code that only begins like one', failure('5330')],
    ['a code that goes on', failure('57P015')],
    ['a code that holds one', failure('x08006')],
    ['the words of a lost connection in a refused statement', failure('22000', 'Connection terminated')],
    ['other words that hold those', failure(undefined, 'no timeout expired')],
    ['a number', failure(57)],
    ['nothing', undefined],
    ['null', null],
    ['a text', 'Connection terminated'],
  ])('%s is left unchanged', (_, error) => expect(translated(error)).toBe(error));
});

it.each<[boolean, unknown]>([
  [true, failure('ECONNRESET')],
  [true, wrapped(failure('57P01'))],
  [true, failure('EHOSTUNREACH', 'read EHOSTUNREACH', { syscall: 'read' })],
  [true, failure('ENETUNREACH', 'write ENETUNREACH', { syscall: 'write' })],
  [true, failure(undefined, 'Connection terminated unexpectedly')],
  [true, failure(undefined, 'Query read timeout')],
  [false, failure('ECONNREFUSED')],
  [false, failure('EHOSTUNREACH', 'connect EHOSTUNREACH', { syscall: 'connect' })],
  [false, failure('ETIMEDOUT', 'connect ETIMEDOUT', { syscall: 'connect' })],
  [false, failure('53300')],
  [false, failure(undefined, 'timeout exceeded when trying to connect')],
  [false, failure(undefined, 'Connection terminated due to connection timeout')],
  [false, failure('23505')],
  [false, undefined],
])('%s: what failed may have been committed, its answer unheard, by the cause %p', (may, cause) =>
  expect([mayBeCommitted(translated(cause)), mayBeCommitted(cause)]).toEqual([may, false]),
);

describe('a pooler in place of the server', () => {
  const refusal = 'unsupported startup parameter: options';

  it('a pooler that refuses options is reported with the setting to change', () => {
    const cause = failure('08P01', refusal);
    expect(translated(cause)).toEqual(
      new Error(
        'DATABASE_URL leads to a pooler, but LISTEN, migrations and asides need the server itself. Set DATABASE_URL to the server and DATABASE_POOL_URL to the pooler.',
      ),
    );
    expect(translated(cause)).toMatchObject({ cause });
  });

  it('the same text from the server itself is not reported as a pooler', () => {
    const error = failure('42601', refusal);
    expect(translated(error)).toBe(error);
  });
});

describe('the reason of a refused statement', () => {
  it('the SQL state of a failure is its code when that is a text', () =>
    expect([failure('42P01'), wrapped(failure('23505')), failure(7), null, undefined, 'text'].map(sqlState)).toEqual([
      '42P01',
      '23505',
      ...Array<undefined>(4).fill(undefined),
    ]));

  it.each([
    ['40001', true],
    ['40P01', true],
    ['40002', false],
    [undefined, false],
  ])('work that failed with %s may be retried: %s', (code, again) => expect(isTransient(failure(code))).toBe(again));

  it.each([
    ['0A000', 'RevalidateCachedQuery', true],
    ['0A000', 'transformStmt', false],
    ['42P01', 'RevalidateCachedQuery', false],
  ])('%s in %s is a stale plan: %s', (code, routine, stale) =>
    expect(isStalePlan(failure(code, 'failed', { routine }))).toBe(stale),
  );

  it.each([
    ['23505', undefined, true],
    ['23505', 'one_key', true],
    ['23505', 'other_key', false],
    ['23503', undefined, false],
    ['23503', 'one_key', false],
  ])('%s violates a unique key (%s): %s', (code, asked, violated) =>
    expect(isUniqueViolation(failure(code, 'failed', { constraint: 'one_key' }), asked)).toBe(violated),
  );

  it.each([
    ['22P05', true],
    ['23505', true],
    ['54000', true],
    ['40001', false],
    ['42P01', false],
    ['08022', false],
    [undefined, false],
  ])('a row that %s refuses is refused for good: %s', (code, refused) =>
    expect(isRefusedForEver(failure(code))).toBe(refused),
  );
});
