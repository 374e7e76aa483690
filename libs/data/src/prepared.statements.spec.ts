import { PreparedStatements } from './prepared.statements';

const TEXT = 'SELECT $1';
const stale = Object.assign(new Error('cached plan must not change result type'), {
  code: '0A000',
  routine: 'RevalidateCachedQuery',
});
const coded = (code: string) => Object.assign(new Error('refused'), { code });

it('a statement is named, or unnamed when names are off', () => {
  expect(new PreparedStatements(true).config('one', TEXT, [1])).toStrictEqual({ name: 'one', text: TEXT, values: [1] });
  expect(new PreparedStatements(false).config('one', TEXT, [1])).toStrictEqual({ text: TEXT, values: [1] });
});

it('a stale plan gives a statement another name and text, once for all who hit it, and again when that is stale', () => {
  const statements = new PreparedStatements(true);
  const config = (name = 'one') => statements.config(name, TEXT, [1]);
  const [first, same] = [config(), config()];
  expect(statements.failure('one', first, stale)).toBe(stale);
  statements.failure('one', same, stale);
  expect(config()).toStrictEqual({ name: 'one 1', text: 'SELECT $1 /* 1 */', values: [1] });
  statements.failure('one', config(), coded('23505'));
  expect(config().name).toBe('one 1');
  statements.failure('one', config(), stale);
  expect([config().name, config().text, config('two').name]).toEqual(['one 2', 'SELECT $1 /* 2 */', 'two']);
});

it.each(['42P05', '26000'])(
  '%s of a named statement is reported with the setting for the pooler, and its cause',
  (code) => {
    const statements = new PreparedStatements(true);
    const cause = coded(code);
    const told = statements.failure('one', statements.config('one', TEXT, []), cause);
    expect(told).toEqual(
      new Error(
        'The address of the database leads to a pooler that does not keep named statements. Set DB_PREPARED=off, or max_prepared_statements in PgBouncer 1.21 or newer.',
      ),
    );
    expect(told).toMatchObject({ cause });
  },
);

it('another failure, or one of an unnamed statement, is left unchanged', () => {
  const [named, unnamed] = [new PreparedStatements(true), new PreparedStatements(false)];
  const [refused, mixedUp, codeless] = [coded('23505'), coded('26000'), new Error('lost')];
  expect(named.failure('one', named.config('one', TEXT, []), refused)).toBe(refused);
  expect(named.failure('one', named.config('one', TEXT, []), codeless)).toBe(codeless);
  expect(unnamed.failure('one', unnamed.config('one', TEXT, []), mixedUp)).toBe(mixedUp);
});
