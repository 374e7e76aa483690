import { boundText, falls, rounded, type Budgets } from './budgets';
import type { Figures } from './bench.types';

export interface Ratio {
  readonly name: string;
  readonly value: number;
  readonly meaning: string;
}

/** The results of one bench. */
export interface Findings {
  readonly bench: string;
  readonly tables: { readonly title: string; readonly rows: Readonly<Record<string, Figures>> }[];
  readonly ratios: Ratio[];
  readonly notes: string[];
}

/** Three significant digits: the figures are medians from a noisy machine. */
const shown = (value: number): string => {
  if (!Number.isFinite(value)) return '-';
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.max(Math.abs(value), 0.01))));
  return value.toLocaleString('en-US', { maximumFractionDigits: Math.min(digits, 2) });
};

const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

const tableText = (rows: Readonly<Record<string, Figures>>): string[] => {
  const names = [...new Set(Object.values(rows).flatMap((figures) => Object.keys(figures)))];
  const body = Object.entries(rows).map(([way, figures]) =>
    line([way, ...names.map((name) => shown(figures[name] ?? NaN))]),
  );
  return [line(['', ...names]), line(['---', ...names.map(() => '---:')]), ...body];
};

const verdict = (value: number, budget: Budgets[string] | undefined): string => {
  if (!budget) return '';
  return `${boundText(budget)}: ${falls(value, budget) ? '**falls short**' : 'holds'}`;
};

/** The findings of one bench as Markdown, for the results file and for the screen. */
export const findingsText = ({ bench, tables, ratios, notes }: Findings, budgets: Budgets): string => {
  const ratioRows = ratios.map(({ name, value, meaning }) =>
    line([name, rounded(value).toFixed(2), meaning, verdict(value, budgets[`${bench}.${name}`])]),
  );
  return [
    ...tables.flatMap(({ title, rows }) => [`**${title}**`, '', ...tableText(rows), '']),
    ...(ratios.length > 0
      ? [line(['ratio', 'value', 'of what', 'budget']), line(['---', '---:', '---', '---']), ...ratioRows, '']
      : []),
    ...notes.map((note) => `- ${note}`),
  ]
    .join('\n')
    .trimEnd();
};

/** One line per ratio that misses its budget. */
export const shortfalls = (all: readonly Findings[], budgets: Budgets): string[] =>
  all.flatMap(({ bench, ratios }) =>
    ratios.flatMap(({ name, value, meaning }) => {
      const budget = budgets[`${bench}.${name}`];
      if (!budget || !falls(value, budget)) return [];
      return [`${bench}.${name} is ${rounded(value).toFixed(2)}, budget ${boundText(budget)} (${meaning})`];
    }),
  );
