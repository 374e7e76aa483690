import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Bench } from './bench.types';
import { openAdmin } from './database';
import { findingsText, shortfalls, type Findings } from './findings';
import { formRequest, httpRequest } from './load';
import { withResults } from './results-file';
import { alternate, median } from './rounds';
import { runBench, SharedThings } from './run';
import { byParameter } from './sql-load.types';

const findings: Findings = {
  bench: 'sample',
  tables: [
    { title: 'Two ways', rows: { ours: { 'requests/s': 1234.5, 'CPU µs/request': 51.26 }, sql: { 'requests/s': 99 } } },
  ],
  ratios: [
    { name: 'cpu', value: 1.604, meaning: 'ours : bare' },
    { name: 'rate', value: 0.591, meaning: 'ours : sql' },
    { name: 'free', value: 3, meaning: 'unbounded' },
  ],
  notes: ['measured somehow'],
};
const budgets = { 'sample.cpu': { atMost: 1.6 }, 'sample.rate': { atLeast: 0.6 }, 'other.cpu': { atMost: 1 } };

describe('rounds of a bench', () => {
  it('alternate between the ways, discard the first round and return medians', async () => {
    const order: string[] = [];
    const way = (name: string, values: number[]) => async () => {
      order.push(name);
      return { figure: values.shift() ?? 0 };
    };
    expect(await alternate({ a: way('a', [99, 3, 1, 2]), b: way('b', [99, 5, 5, 8]) }, 3)).toEqual({
      a: { figure: 2 },
      b: { figure: 5 },
    });
    expect(order.join('')).toBe('abababab');
    expect(median([4, 1])).toBe(2.5);
  });
});

describe('the results of a bench', () => {
  it('show figures with three significant digits, and the verdict of each budget', () => {
    expect(findingsText(findings, budgets)).toBe(`**Two ways**

|  | requests/s | CPU µs/request |
| --- | ---: | ---: |
| ours | 1,235 | 51.3 |
| sql | 99 | - |

| ratio | value | of what | budget |
| --- | ---: | --- | --- |
| cpu | 1.60 | ours : bare | at most 1.6: holds |
| rate | 0.59 | ours : sql | at least 0.6: **falls short** |
| free | 3.00 | unbounded |  |

- measured somehow`);
  });

  it('list the missed budgets', () => {
    expect(shortfalls([findings], budgets)).toEqual(['sample.rate is 0.59, budget at least 0.6 (ours : sql)']);
  });

  it('miss the budget when the ratio is not a finite number', () => {
    const ratios = [Infinity, NaN].map((value) => ({ name: 'rate', value, meaning: 'ours : sql' }));
    expect(shortfalls([{ ...findings, ratios }], budgets)).toEqual([
      'sample.rate is Infinity, budget at least 0.6 (ours : sql)',
      'sample.rate is NaN, budget at least 0.6 (ours : sql)',
    ]);
  });

  it('replace their own section of the results file and leave the rest', () => {
    const now = new Date('2026-11-20T12:00:00Z');
    const first = withResults('# Benches\n', 'a', 'one', now);
    const second = withResults(withResults(first, 'b', 'two', now), 'a', 'three', now);
    expect(second.replace(/_2026-11-20, Node .*rounds_/g, 'WHEN')).toBe(
      '# Benches\n\n<!-- bench:a -->\n### a\n\nWHEN\n\nthree\n<!-- /bench:a -->\n\n<!-- bench:b -->\n### b\n\nWHEN\n\ntwo\n<!-- /bench:b -->\n',
    );
  });
});

describe('a run of benches', () => {
  it('starts what benches share once and stops it in reverse order', async () => {
    const seen: string[] = [];
    const thing = (name: string) => async () => {
      seen.push(`start ${name}`);
      return { stop: async () => void seen.push(`stop ${name}`) };
    };
    const shared = new SharedThings();
    const bench: Bench = {
      name: 'sample',
      run: async (report) => {
        await report.shared('one', thing('one'));
        await report.shared('two', thing('two'));
        await report.shared('one', thing('one'));
        report.ratio('cpu', 1, 'same');
      },
    };
    expect(await runBench(bench, shared, () => undefined)).toEqual({
      bench: 'sample',
      tables: [],
      ratios: [{ name: 'cpu', value: 1, meaning: 'same' }],
      notes: [],
    });
    await shared.stop();
    await expect(shared.get('three', thing('three'))).rejects.toThrow('three is not started: the run ends');
    expect(seen).toEqual(['start one', 'start two', 'stop two', 'stop one']);
  });
});

describe('requests of the load generator', () => {
  it('declare the length of the body with its placeholders filled in', () => {
    for (const text of [
      httpRequest('/x', {}, '{"id":"{id}","key":"{key}"}', 7),
      formRequest('/x', { id: '{id}', number: '6281{key}' }, 7),
    ]) {
      const filled = text.replace('{id}', 'i'.repeat(20)).replace('{key}', '0000007');
      const [head = '', body = ''] = [
        filled.slice(0, filled.indexOf('\r\n\r\n')),
        filled.slice(filled.indexOf('\r\n\r\n') + 4),
      ];
      expect(/Content-Length: (\d+)/.exec(head)?.[1]).toBe(String(Buffer.byteLength(body)));
    }
  });
});

it('statements that seed an inbox have no timeout', () => {
  expect(openAdmin('postgres://nobody@127.0.0.1:1/none').pool.options.query_timeout).toBe(0);
});

it('every bench has the name of its file', () => {
  const files = readdirSync(__dirname).filter((file) => file.endsWith('.bench.ts'));
  const names = files.map((file) => (jest.requireActual(join(__dirname, file)) as { bench: Bench }).bench.name);
  expect(names).toEqual(files.map((file) => file.replace('.bench.ts', '')));
});

it('the key of a statement is its parameter, a cast and a longer name are none', () => {
  expect(byParameter(`SELECT lpad((:key)::text, 7, '0'), x::key, ':keys'`)).toEqual({
    text: `SELECT lpad(($1::int)::text, 7, '0'), x::key, ':keys'`,
    isKeyed: true,
  });
  expect(byParameter('SELECT 1')).toEqual({ text: 'SELECT 1', isKeyed: false });
});
