import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { RecordedAnswer, RecordedAnswers } from '@platform/http';
import { environment } from '@platform/runtime';

const TOKEN = /^eyJ[\w-]+\.[\w-]+\.[\w-]*$/;
const SECRET = /(token|secret|password)$/i;
/** Ids, hashes, signatures, and whatever else holds digits: what one run has otherwise than the next. */
const VOLATILE = /[0-9a-f]{8}-[0-9a-f-]{27}|[\w-]*[0-9][\w-]*/gi;
const SMALL = 1_000;

const mapped = (value: unknown, change: (leaf: unknown, name: string) => unknown, name = ''): unknown => {
  if (Array.isArray(value)) return value.map((item) => mapped(item, change, name));
  if (typeof value !== 'object' || value === null) return change(value, name);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, mapped(inner, change, key)]));
};

/** A secret has no place in a file, not even one of a test. */
const masked = (value: unknown): unknown =>
  mapped(value, (leaf, name) =>
    typeof leaf === 'string' && (TOKEN.test(leaf) || SECRET.test(name)) ? `<${name}>` : leaf,
  );

const normal = (value: unknown): unknown =>
  mapped(value, (leaf) => {
    if (typeof leaf === 'number' && Math.abs(leaf) >= SMALL) return '#';
    return typeof leaf === 'string' ? leaf.replace(VOLATILE, '#') : leaf;
  });

/**
 * Success examples that were really answered, kept in a file that `/docs.json` reads. A suite that calls every route gives
 * each answer to `compare` and expects its two sides to be equal; with UPDATE_EXAMPLES=1 `save` writes the file anew.
 */
export const recordedAnswers = (file: string) => {
  const kept = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as RecordedAnswers) : {};
  const updating = environment.UPDATE_EXAMPLES === '1';
  const now: Record<string, RecordedAnswer> = {};
  return {
    /** Both sides without ids, times, large numbers and secrets. */
    compare: (route: string, answer: RecordedAnswer): { documented: unknown; answered: unknown } => {
      const plain = masked(JSON.parse(JSON.stringify(answer))) as RecordedAnswer;
      now[route] = plain;
      return { documented: normal(updating ? plain : kept[route]), answered: normal(plain) };
    },
    save: (): void => {
      const sorted = Object.fromEntries(Object.entries(now).sort(([one], [other]) => (one < other ? -1 : 1)));
      if (updating) writeFileSync(file, `${JSON.stringify(sorted, null, 2)}\n`);
    },
  };
};
