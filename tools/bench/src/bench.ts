import 'reflect-metadata';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Bench } from './bench.types';
import type { Budgets } from './budgets';
import { findingsText, shortfalls, type Findings } from './findings';
import { withResults } from './results-file';
import { runBench, SharedThings } from './run';
import { seededInbox } from './seeded-inbox';
import { loadModule } from './workspace';

const RESULTS = join(__dirname, '../README.md');
const BUDGETS = join(__dirname, '../budgets.json');

const say = (text: string): void => void process.stdout.write(`${text}\n`);

const allBenches = (): Bench[] =>
  readdirSync(__dirname)
    .filter((file) => file.endsWith('.bench.ts'))
    .map((file) => loadModule<{ bench: Bench }>(`tools/bench/src/${file}`).bench);

/** The named benches, in the order of their files; without names, all but those that run only when named. */
const chosen = (names: readonly string[]): Bench[] => {
  const all = allBenches();
  const unknown = names.filter((name) => !all.some((bench) => bench.name === name));
  if (unknown.length > 0)
    throw new Error(`no bench is called ${unknown.join(', ')}; there are ${all.map(({ name }) => name).join(', ')}`);
  if (names.length > 0) return all.filter(({ name }) => names.includes(name));
  for (const { name, onlyNamed } of all) if (onlyNamed) say(`${name} runs only when it is named: ${onlyNamed}`);
  return all.filter(({ onlyNamed }) => !onlyNamed);
};

const measure = async (benches: readonly Bench[], budgets: Budgets, shared: SharedThings): Promise<Findings[]> => {
  const all: Findings[] = [];
  for (const bench of benches) {
    const begun = performance.now();
    say(`${bench.name} ...`);
    const findings = await runBench(bench, shared, say);
    all.push(findings);
    const text = findingsText(findings, budgets);
    say(`${text}\n(${((performance.now() - begun) / 1000).toFixed(0)} s)\n`);
    writeFileSync(RESULTS, withResults(readFileSync(RESULTS, 'utf8'), bench.name, text, new Date()));
  }
  return all;
};

const HELP = `npm run bench                      every bench of the hot paths
npm run bench -- <name> ...        those named
npm run bench -- seed [<n>]        seeds the inbox of n conversations (default: a million) that inbox-scale measures;
                                   takes minutes, is kept in .data/bench and resumes when interrupted`;

/** Seeds the inbox that `inbox-scale` measures. */
const seed = async (shared: SharedThings, size = '1000000'): Promise<void> => {
  if (!/^[1-9]\d{3,7}$/.test(size))
    throw new Error(`seed ${size}: not a number of conversations from 1000 to 99999999`);
  await runBench({ name: 'seed', run: async (report) => void (await seededInbox(report, Number(size))) }, shared, say);
  say('The inbox is seeded. Now: npm run bench -- inbox-scale');
};

const perform = async ([first, ...more]: readonly string[], shared: SharedThings): Promise<void> => {
  if (first === '--help') return say(HELP);
  if (first === 'seed') return seed(shared, more[0]);
  const budgets = JSON.parse(readFileSync(BUDGETS, 'utf8')) as Budgets;
  const names = first === undefined ? [] : [first, ...more];
  const short = shortfalls(await measure(chosen(names), budgets, shared), budgets);
  say(
    short.length === 0
      ? 'Every budget holds.'
      : `Falls short of its budget:\n${short.map((each) => `  ${each}`).join('\n')}`,
  );
};

const main = async (args: readonly string[]): Promise<void> => {
  const shared = new SharedThings();
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void shared.stop().finally(() => process.exit(1)));
  try {
    await perform(args, shared);
  } finally {
    await shared.stop();
  }
};

main(process.argv.slice(2)).catch((failure: unknown) => {
  process.stderr.write(`${failure instanceof Error ? failure.message : String(failure)}\n`);
  process.exitCode = 1;
});
