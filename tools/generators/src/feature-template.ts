import { createRequire } from 'node:module';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { FeatureNames } from './feature-names';

interface Operation {
  readonly guard: string;
  /** The `reply` of the endpoint. */
  readonly reply: string;
  /** Its `handle`; defaults to the one in `USUAL`. */
  readonly handle?: string;
}

/** Elements to append to a list in a file of the app. */
export interface ListAddition {
  /** Below the app's `src/`. */
  readonly file: string;
  /** Name of the variable, member or function that holds or returns the list. */
  readonly list: string;
  readonly elements: string;
}

/** The app-specific parts of a feature: `apps/<app>/feature.template.ts`. Texts refer to names as `{{one}}`. */
export interface FeatureTemplate {
  /** Offset of the app's port from `PORT_BASE`. */
  readonly port: number;
  readonly path: string;
  readonly table: string;
  /** The owner of the rows: its name in the code, its column, the column's type, and the word for it. */
  readonly tenant: {
    readonly value: string;
    readonly column: string;
    readonly type: string;
    readonly word: string;
    /** The expression that takes it from the `caller`, when all operations do. */
    readonly of?: string;
  };
  /** Where its endpoints are mounted. */
  readonly composition: ListAddition;
  /** Whether features are grouped by area; `{{area}}` is its name. */
  readonly areas?: boolean;
  readonly additions?: readonly ListAddition[];
  readonly endpoints: {
    readonly imports: readonly string[];
    /** Fields of the query and of the body that name the tenant, where no token does. */
    readonly whose?: string;
    /** The same as a member of the endpoints for a single row. */
    readonly whoseQuery?: string;
    readonly classes?: string;
    readonly parameters?: string;
    /** Refusals of determining the tenant. */
    readonly refuses?: string;
    readonly list: Operation;
    readonly add: Operation;
    readonly find: Operation;
    readonly delete: Operation;
  };
  readonly spec: {
    readonly imports: readonly string[];
    readonly type: string;
    readonly start: string;
    /** Further variables, and code before the start, after it and after the stop. */
    readonly declares?: string;
    readonly setup?: string;
    readonly prepare?: string;
    readonly cleanup?: string;
    /** Two tenants, and the type of the values that represent them. */
    readonly tenants: readonly [type: string, mine: string, theirs: string];
    /** A request of the tenant `of` with `method`, `path` and `body`. */
    readonly ask?: string;
    /** Whole answers: one `view` with its `status`, a page of `views` with the `next` cursor, a deletion, a missing row. */
    readonly one: string;
    readonly page: string;
    readonly deleted: string;
    readonly missing: string;
  };
  /** E-mail address of the demo user in the default `curl`. */
  readonly user?: string;
  /** A shell command that adds one; ADDRESS stands for the service's address, DATA for the folder of the stack. */
  readonly curl?: string;
}

/** Members of a template by their path, such as `endpoints.list.guard`; a list both joined by line breaks and by element. */
const leaves = (value: unknown, name = ''): [string, string][] => {
  if (typeof value !== 'object' || value === null) return [[name, String(value)]];
  const inside = Object.entries(value).flatMap(([key, each]) => leaves(each, name === '' ? key : `${name}.${key}`));
  return Array.isArray(value) ? [[name, value.join('\n')], ...inside] : inside;
};

/** Defaults of the optional members of a template. */
const USUAL = {
  ...{ 'endpoints.whose': '', 'endpoints.whoseQuery': '', 'endpoints.classes': '', 'endpoints.refuses': '' },
  ...{ 'spec.declares': '', 'spec.setup': '', 'spec.prepare': '', 'spec.cleanup': '' },
  'endpoints.parameters': 'sql: Sql',
  'endpoints.list.handle': '({ caller, query }) => list{{Many}}(sql, {{tenant.of}}, query)',
  'endpoints.add.handle': '({ caller, body }) => add{{One}}(sql, {{tenant.of}}, body.name)',
  'endpoints.find.handle': '({ caller, params }) => find{{One}}(sql, {{tenant.of}}, params.id)',
  'endpoints.delete.handle': '({ caller, params }) => delete{{One}}(sql, {{tenant.of}}, params.id)',
  'spec.ask': 'caller(app.url)(PATH + path, { method, body, token: of })',
  curl: `curl -s ADDRESS{{path}} -H "Authorization: Bearer $(npm run -s token -- {{user}})" \\
  -H 'content-type: application/json' -d '{"name":"Budi"}'`,
};

const filled = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\{\{([\w.]+)\}\}/g, (_match, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`a template says {{${name}}}, which is no name and nothing of a template`);
    return filled(value, values);
  });

/** Text in which each `{{name}}` is replaced by a name of the feature or a member of its app's template. */
export const filledFor = (names: FeatureNames, template: FeatureTemplate, text: string): string =>
  filled(text, { ...USUAL, ...Object.fromEntries(leaves(template)), ...names });

/** Throws for an unknown app, listing the known ones, and for an app without a template. */
export const templateOf = (app: string, root: string): FeatureTemplate => {
  const apps = readdirSync(join(root, 'apps'));
  if (!apps.includes(app)) throw new Error(`There is no app ${app}. Apps: ${apps.join(', ')}.`);
  const file = join(root, 'apps', app, 'feature.template.ts');
  if (!existsSync(file)) throw new Error(`apps/${app}/feature.template.ts is missing: it says how a feature looks.`);
  return (createRequire(__filename)(file) as { template: FeatureTemplate }).template;
};
