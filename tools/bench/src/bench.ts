import 'reflect-metadata';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Bench } from './bench.types';
import type { Budgets } from './budgets';
import { findingsText, shortfalls, type Findings } from './findings';
import { withResults } from './results-file';
import { runBench, SharedThings } from './run';
import { loadModule } from './workspace';

const RESULTS = join(__dirname, '../README.md');
const BUDGETS = join(__dirname, '../budgets.json');

const say = (text: string): void => void process.stdout.write(`${text}\n`);

const allBenches = (): Bench[] =>
  readdirSync(__dirname)
    .filter((file) => file.endsWith('.bench.ts'))
    .map((file) => loadModule<{ bench: Bench }>(`tools/bench/src/${file}`).bench);

/** Those named, in the order of their files; all when none is named. */
const chosen = (names: readonly string[]): Bench[] => {
  const all = allBenches();
  const unknown = names.filter((name) => !all.some((bench) => bench.name === name));
  if (unknown.length > 0)
    throw new Error(`no bench is called ${unknown.join(', ')}; there are ${all.map(({ name }) => name).join(', ')}`);
  return names.length > 0 ? all.filter(({ name }) => names.includes(name)) : all;
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

const main = async (names: readonly string[]): Promise<void> => {
  const budgets = JSON.parse(readFileSync(BUDGETS, 'utf8')) as Budgets;
  const shared = new SharedThings();
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void shared.stop().finally(() => process.exit(1)));
  try {
    const short = shortfalls(await measure(chosen(names), budgets, shared), budgets);
    say(
      short.length === 0
        ? 'Every budget holds.'
        : `Falls short of its budget:\n${short.map((each) => `  ${each}`).join('\n')}`,
    );
  } finally {
    await shared.stop();
  }
};

main(process.argv.slice(2)).catch((failure: unknown) => {
  process.stderr.write(`${failure instanceof Error ? failure.message : String(failure)}\n`);
  process.exitCode = 1;
});
