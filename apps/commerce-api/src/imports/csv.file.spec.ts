// What a spreadsheet leaves around a table is not held against it.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { csvText } from '@platform/http';
import { csvRows } from './csv.file';

const read = async (text: string): Promise<unknown[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'csv-'));
  try {
    await writeFile(join(folder, 'a.csv'), text);
    const rows: unknown[] = [];
    for await (const { row, cells } of csvRows(join(folder, 'a.csv'), ['name', 'price'])) rows.push([row, cells]);
    return rows;
  } finally {
    await rm(folder, { recursive: true });
  }
};
const HAT = { name: 'Topi', price: '9' };

it.each([
  ['a comma behind its header', 'name,price,\nTopi,9,\n', 2],
  ['an empty column between two', 'name,,price\nTopi, ,9\n', 2],
  ['blank lines before its header', '\n\nname,price\nTopi,9\n', 4],
  ['a line of semicolons before its header', ';;\nname;price\nTopi;9\n', 3],
  ['a byte order mark and a blank line', '\uFEFF\r\nname;price\r\nTopi;9\r\n', 3],
])('a file with %s is read, its rows counted as a spreadsheet does', async (_, text, row) => {
  expect(await read(text)).toEqual([[row, HAT]]);
});

it('a column without a name that has something in it is told by its number', async () => {
  await expect(read('name,price,\nTopi,9,\nTas,9,merah\n')).rejects.toMatchObject({
    violations: [{ field: 'file', tag: 'nameless', message: 'file has no name for column 3', about: '3' }],
  });
});

it('texts of an export are read as they were, without what keeps a spreadsheet from running them or parts of them', async () => {
  const texts = ['=1+1', 'Topi;=1+1;', '- wol\n- katun', '\t@a;"=1"', 'Topi', "Rp '9"];
  let file = '';
  for await (const piece of csvText<{ text: string }>(
    [['name', 'text']],
    texts.map((text) => ({ text })),
  ))
    file += piece;
  expect((await read(file)).map((row) => (row as [number, { name: string }])[1].name)).toEqual(texts);
});

it('a file of blank lines is empty', async () => {
  await expect(read('\n,,\n\n')).rejects.toMatchObject({ violations: [{ tag: 'empty' }] });
});
