import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Journal } from './journal';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'till-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const file = (): string => join(folder, 'deep/state.jsonl');

it('rows are there for the next process, in their order, as they were last written', () => {
  const journal = new Journal(file());
  journal.put('payments', 'a', { n: 1 });
  journal.put('payments', 'b', { n: 2 });
  journal.put('payments', 'a', { n: 3 });
  journal.put('other', 'a', 'x');
  const next = new Journal(file());
  expect(next.all('payments')).toEqual([{ n: 3 }, { n: 2 }]);
  expect([next.get('other', 'a'), next.get('other', 'b'), next.all('none')]).toEqual(['x', undefined, []]);
  // One line a row after a start, for its owner alone
  expect(readFileSync(file(), 'utf8').trim().split('\n')).toHaveLength(3);
  expect(statSync(file()).mode & 0o777).toBe(0o600);
});

it('a line that a killed process left half written is forgotten, and does not spoil the next', () => {
  new Journal(file()).put('payments', 'a', { n: 1 });
  appendFileSync(file(), '["payments","b",{"n":');
  const next = new Journal(file());
  next.put('payments', 'c', { n: 3 });
  expect(new Journal(file()).all('payments')).toEqual([{ n: 1 }, { n: 3 }]);
});

it('without a file it is as good, for as long as it lasts', () => {
  const journal = new Journal();
  journal.put('payments', 'a', 1);
  expect([journal.get('payments', 'a'), new Journal().all('payments')]).toEqual([1, []]);
});
