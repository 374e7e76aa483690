import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FeatureNames } from './feature-names';
import { filledFor, type FeatureTemplate } from './feature-template';

/** Reserved words of PostgreSQL (its documentation, appendix C). */
const RESERVED = new Set(
  `all analyse analyze and any array as asc asymmetric authorization binary both case cast check collate collation column
  concurrently constraint create cross default deferrable desc distinct do else end except false fetch for foreign freeze
  from full grant group having ilike in initially inner intersect into is isnull join lateral leading left like limit
  localtime localtimestamp natural not notnull null offset on only or order outer overlaps placing primary references
  returning right select similar some symmetric table tablesample then to trailing true union unique user using variadic
  verbose when where window with`.split(/\s+/),
);

/** Every source of an app by its path below `src/`. */
const sourcesOf = (folder: string): Map<string, string> =>
  new Map(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts'))
      .map((path) => [path.replaceAll('\\', '/'), readFileSync(join(folder, path), 'utf8')]),
  );

/** Why this feature cannot be generated in the app at `folder`; undefined when it can. */
export const refusalOf = (folder: string, names: FeatureNames, template: FeatureTemplate): string | undefined => {
  const { One, Many } = names;
  const table = filledFor(names, template, '{{table}}');
  const path = filledFor(names, template, '{{path}}');
  if (existsSync(join(folder, 'features', names.folder))) return `features/${names.folder} exists`;
  if (RESERVED.has(table)) return `its table would be called ${table}, which PostgreSQL keeps for itself`;
  const sources = sourcesOf(folder);
  const holding = (pattern: RegExp): string | undefined => [...sources].find(([, text]) => pattern.test(text))?.[0];
  const clash = (what: string, pattern: RegExp): string | undefined => {
    const file = holding(pattern);
    return file && `${file} has ${what} already`;
  };
  return (
    clash(
      `the class New${One}, ${One}View or ${Many}Query`,
      new RegExp(`\\bclass (New${One}|${One}View|${Many}Query)\\b`),
    ) ??
    clash(`the table ${table}`, new RegExp(`CREATE TABLE (IF NOT EXISTS )?${table}\\b`)) ??
    clash(`the route ${path}`, new RegExp(`(get|post|put|delete): '${path}['/]`))
  );
};
