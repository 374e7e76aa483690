import { cpus } from 'node:os';

const begin = (bench: string): string => `<!-- bench:${bench} -->`;
const end = (bench: string): string => `<!-- /bench:${bench} -->`;

/** When and on what it was measured, without naming the machine. */
const circumstances = (now: Date): string =>
  `_${now.toISOString().slice(0, 10)}, Node ${process.versions.node}, ${cpus().length} cores, medians of alternating rounds_`;

/**
 * The results file with the section of one bench replaced, or appended when it has none yet. Prose outside of the markers stays.
 */
export const withResults = (file: string, bench: string, findings: string, now: Date): string => {
  const section = `${begin(bench)}\n### ${bench}\n\n${circumstances(now)}\n\n${findings}\n${end(bench)}`;
  const from = file.indexOf(begin(bench));
  const to = file.indexOf(end(bench));
  if (from < 0 || to < from) return `${file.trimEnd()}\n\n${section}\n`;
  return file.slice(0, from) + section + file.slice(to + end(bench).length);
};
