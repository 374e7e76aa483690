import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { RecordedAnswer, RecordedAnswers } from '@platform/http';
import { environment } from '@platform/runtime';
import { steadily, type StandIn, type Steadied } from './steady';

const write = (file: string, answers: RecordedAnswers): void => {
  const sorted = Object.fromEntries(Object.entries(answers).sort(([one], [other]) => (one < other ? -1 : 1)));
  writeFileSync(file, `${JSON.stringify(sorted, null, 2)}\n`);
};

const kept = (
  file: string,
  copier: () => ReturnType<typeof steadily>,
  isWhole = false,
): ((route: string, answer: RecordedAnswer) => void) => {
  const before = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as RecordedAnswers) : {};
  const updating = environment.UPDATE_EXAMPLES === '1';
  const now: Record<string, RecordedAnswer> = {};
  let differs = false;
  afterAll(() => {
    if (updating) write(file, now);
    else if (isWhole && !differs)
      expect(Object.keys(before)).toEqual(Object.keys(before).filter((route) => now[route]));
  });
  return (route, answer) => {
    now[route] = copier()(answer) as RecordedAnswer;
    if (updating) return;
    differs = true;
    expect({ [route]: now[route] }).toEqual({ [route]: before[route] });
    differs = false;
  };
};

/**
 * Recorded success examples, kept in a file that `/docs.json` reads. The surrounding suite passes each valid call to the
 * returned function, `METHOD /path` of the endpoint first, which fails unless the file has the same, ids, times and
 * secrets aside. With UPDATE_EXAMPLES=1 it rewrites the file instead: the same answers give the same file again. The ids of each
 * answer are numbered for themselves.
 */
export const useRecordedAnswers = (
  file: string,
  own: readonly StandIn[] = [],
): ((route: string, answer: RecordedAnswer) => void) => kept(file, () => steadily({ own }));

/**
 * The same for calls that tell one story in one order: what has an id keeps it from the first answer to the last, and the file has
 * nothing that the story does not tell any more.
 */
export const useRecordedStory = (
  file: string,
  steadied: Steadied = {},
): ((route: string, answer: RecordedAnswer) => void) => {
  const copy = steadily(steadied);
  return kept(file, () => copy, true);
};
