import type { Readable } from 'node:stream';
import { csv, csvFile, csvText, withoutCsvGuards, type Cell, type Columns } from './csv';

const written = async <Row>(columns: Columns<Row>, rows: AsyncIterable<Row> | Iterable<Row>): Promise<string[]> => {
  const pieces: string[] = [];
  for await (const piece of csvText(columns, rows)) pieces.push(piece);
  return pieces;
};
const cell = async (value: Cell): Promise<string> => {
  const [text = ''] = await written([['a', ({ of }: { of: Cell }) => of]], [{ of: value }]);
  return text.slice('a\r\n'.length, -'\r\n'.length);
};

it('a CSV file without rows is its header', async () =>
  expect(
    await written(
      [
        ['Code', 'code'],
        ['Worth, Rp', 'value'],
      ] as Columns<{ code: string; value: number }>,
      [],
    ),
  ).toEqual(['Code,"Worth, Rp"\r\n']));

it('a CSV column is a member of the row or computed from it, in the order of the definition', async () => {
  const columns: Columns<{ code: string; value: number }> = [
    ['Worth', 'value'],
    ['2024', ({ code, value }) => `${code}/${value}`],
    ['Code', 'code'],
  ];
  expect(
    await written(columns, [
      { code: 'A', value: 5 },
      { code: 'B', value: -1 },
    ]),
  ).toEqual(['Worth,2024,Code\r\n5,A/5,A\r\n-1,B/-1,B\r\n']);
});

it.each<[string, Cell, string]>([
  ['a comma', 'a,b', '"a,b"'],
  ['quotes', 'say "hi"', '"say ""hi"""'],
  ['a line break', 'a\nb', '"a\nb"'],
  ['a carriage return within', 'a\rb', '"a\rb"'],
  ['neither', 'a b;c', 'a b;c'],
  ['nothing', null, ''],
  ['nothing at all', undefined, ''],
  ['an instant', new Date('2026-03-01T08:00:00+07:00'), '2026-03-01T01:00:00.000Z'],
  ['a truth value', false, 'false'],
  ['money', 250_000, '250000'],
  ['a number beyond 2^53', 9_007_199_254_740_993n, '9007199254740993'],
  ['a negative number, which no spreadsheet runs', -5000, '-5000'],
  ['a negative bigint', -5000n, '-5000'],
])('a cell with %s: %j is written as %s', async (_, value, expected) => expect(await cell(value)).toBe(expected));

it.each([
  '=1+1',
  '+62812',
  '-5000',
  '@SUM(A1)',
  '\tx',
  '=cmd|"/c calc"!A1',
  '=1,2',
  '\r1',
  '\n1',
  '＝1',
  '＠SUM(A1)',
  '-',
])('a text that a spreadsheet would run is prefixed: %j', async (text) => {
  const out = await cell(text);
  const unquoted = out.startsWith('"') ? out.slice(1, -1).replaceAll('""', '"') : out;
  expect(unquoted).toBe(`'${text}`);
});

// Where a comma stands in numbers, as in Indonesia, a spreadsheet cuts lines at semicolons, and knows no quotes but at their ends
it.each([
  ['x;=1+1;y', "x;'=1+1;y"],
  ['x; +62812', "x; '+62812"],
  ['x;\u00a0@SUM(A1);', "x;\u00a0'@SUM(A1);"],
  ['x;"=1&";y', `x;"'=1&";y`],
  ['x;"" =1;', `x;"" '=1;`],
  ['x\ty\t-1+1\t', "x\ty\t'-1+1\t"],
  ['a\n=1+1;', "a\n'=1+1;"],
  ['a\r\n＝1', "a\r\n'＝1"],
  ['x;;=1', "x;;'=1"],
  ['=1;=2', "'=1;'=2"],
  ['\r=1', "'\r'=1"],
  ['\n=1', "'\n'=1"],
  [`;${'\n" '.repeat(20_000)}x`, `;${'\n" '.repeat(20_000)}x`],
  ['-;'.repeat(20_000), "'-;".repeat(20_000)],
  ['a;b - c = d', 'a;b - c = d'],
  ['Jl. Mawar 1\nRT 2', 'Jl. Mawar 1\nRT 2'],
])('no part of a text at which another spreadsheet would cut it is run: %j', async (text, expected) => {
  const out = await cell(text);
  expect(out.startsWith('"') ? out.slice(1, -1).replaceAll('""', '"') : out).toBe(expected);
});

it('a CSV header is guarded like a cell', async () =>
  expect(await written([['=x', () => 1]], [])).toEqual(["'=x\r\n"]));

it('any text in a CSV cell is read back unchanged, but for the guard where it needs one', async () => {
  const parts = ['"', ',', '\r', '\n', '=', '-', '@', "'", 'a', ' ', '\t', '😀', ';'];
  for (let first = 0; first < parts.length ** 3; first += 1) {
    const text = [first % 13, Math.floor(first / 13) % 13, Math.floor(first / 169)]
      .map((index) => parts[index])
      .join('');
    const out = await cell(text);
    const read = out.startsWith('"') ? out.slice(1, -1).replaceAll('""', '"') : out;
    expect(withoutCsvGuards(read)).toBe(text.replace(/^'(?=[=\-@\t\r\n])|([;\t\r\n][\s"]*)'(?=[=\-@])/, '$1'));
    expect(read.startsWith("'")).toBe(/^[='\-@\t\r\n]/.test(text));
    expect(out.startsWith('"') || !/[",\r\n]/.test(out)).toBe(true);
  }
});

it('CSV text comes in pieces of about 32 KB, each produced on demand, and the rows end with the reader', async () => {
  let [made, ended] = [0, false];
  const rows = async function* () {
    try {
      for (;;) yield { text: `${(made += 1)}`.padStart(1_000, 'x') };
    } finally {
      ended = true;
    }
  };
  const text = csvText([['Text', 'text']], rows());
  const sizes = [(await text.next()).value?.length, (await text.next()).value?.length];
  expect(made).toBe(66);
  expect(sizes).toEqual([6 + 33 * 1_002, 33 * 1_002]);
  await text.return();
  expect(ended).toBe(true);
});

it('an error while reading rows fails the CSV text', async () => {
  const rows = async function* () {
    yield { a: 1 };
    throw new Error('the connection was lost');
  };
  await expect(written([['A', 'a']], rows())).rejects.toThrow('the connection was lost');
});

describe('the declaration of a CSV reply', () => {
  it('a CSV reply knows its columns, its media type and its file name', () =>
    expect([csv<{ a: string }>([['A', 'a']]), csv<{ a: string }>([['A', 'a']], { filename: 'coupons.csv' })]).toEqual(
      ['export.csv', 'coupons.csv'].map((filename) => ({
        columns: [['A', 'a']],
        mimetype: 'text/csv; charset=utf-8; header=present',
        filename,
      })),
    ));

  it.each(['', 'a b.csv', 'a"b', 'x\r\nSet-Cookie: a'])('a CSV reply refuses %j as a file name', (filename) =>
    expect(() => csv([], { filename })).toThrow(`The file name "${filename}" may hold letters`),
  );
});

describe('a CSV reply of an endpoint', () => {
  const reply = csv<{ n: number }>([['N', 'n']], { filename: 'numbers.csv' });

  it('a CSV reply streams its rows as an attachment', async () => {
    const { bytes, mimetype, headers } = await csvFile(reply, [{ n: 1 }, { n: 2 }]);
    const pieces: unknown[] = await (bytes as Readable).toArray();
    expect([pieces.join(''), mimetype, headers]).toEqual([
      'N\r\n1\r\n2\r\n',
      'text/csv; charset=utf-8; header=present',
      { 'Content-Disposition': 'attachment; filename="numbers.csv"' },
    ]);
  });

  it('a CSV reply whose first row cannot be read is answered as that failure', async () => {
    const rows = async function* (): AsyncGenerator<{ n: number }> {
      yield* [];
      throw new Error('no connection');
    };
    await expect(csvFile(reply, rows())).rejects.toThrow('no connection');
  });

  it.each(['before anybody read it', 'after its first piece', 'in the middle'])(
    'a CSV reply that is no longer wanted %s ends its rows',
    async (when) => {
      const over = new Promise<void>((resolve) => {
        const rows = async function* () {
          try {
            for (let n = 0; ; n += 1) yield { n };
          } finally {
            resolve();
          }
        };
        void csvFile(reply, rows()).then(async ({ bytes }) => {
          const stream = bytes as Readable;
          const read = stream[Symbol.asyncIterator]();
          if (when !== 'before anybody read it') await read.next();
          if (when === 'in the middle') await read.next();
          stream.destroy();
        });
      });
      await over;
    },
  );
});
