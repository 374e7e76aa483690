import { createRequire } from 'node:module';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { FeatureNames } from './feature-names';

interface Operation {
  readonly guard: string;
  /** What the endpoint declares as its `reply`. */
  readonly reply: string;
  /** Its `handle`; as `USUAL` has it unless given. */
  readonly handle?: string;
}

/** Elements that go to the end of a list in a file of the app. */
export interface ListAddition {
  /** Below the app's `src/`. */
  readonly file: string;
  /** Name of the variable, member or function whose list it is. */
  readonly list: string;
  readonly elements: string;
}

/** What features of one app have of their own: `apps/<app>/feature.template.ts`. Texts hold names as `{{one}}`. */
export interface FeatureTemplate {
  /** Of the stack's ports, counted from `PORT_BASE`. */
  readonly port: number;
  readonly path: string;
  readonly table: string;
  /** Whose the rows are: name of the value in the code, column, its type, and the word for it. */
  readonly tenant: {
    readonly value: string;
    readonly column: string;
    readonly type: string;
    readonly word: string;
    /** Its value from the `caller`, where every operation takes it from there. */
    readonly of?: string;
  };
  /** Where its endpoints are mounted. */
  readonly composition: ListAddition;
  /** Features stand in areas: `{{area}}` is one's name. */
  readonly areas?: boolean;
  readonly additions?: readonly ListAddition[];
  readonly endpoints: {
    readonly imports: readonly string[];
    /** Fields of the query and of the body that say whose, where no token does. */
    readonly whose?: string;
    /** The same as a member of an endpoint that names one row. */
    readonly whoseQuery?: string;
    readonly classes?: string;
    readonly parameters?: string;
    /** What finding out whose they are refuses. */
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
    /** Further variables, what stands before the start, behind it and behind the stop. */
    readonly declares?: string;
    readonly setup?: string;
    readonly prepare?: string;
    readonly cleanup?: string;
    /** Two tenants, and the type of what stands for one. */
    readonly tenants: readonly [type: string, mine: string, theirs: string];
    /** Asks `method`, `path` and `body` for the tenant `of`. */
    readonly ask?: string;
    /** Whole answers: of one `view` with its `status` and `message`, of `views` with the `next` cursor, of what is not there. */
    readonly one: string;
    readonly page: string;
    readonly deleted: string;
    readonly missing: string;
  };
  /** E-mail of the demo user who adds one in the usual `curl`. */
  readonly user?: string;
  /** A call that adds one, for a shell; ADDRESS stands for the service's, DATA for the folder of the stack. */
  readonly curl?: string;
}

/** Members of a template by their path, `endpoints.list.guard`; lines of a list of texts together, and one by one. */
const leaves = (value: unknown, name = ''): [string, string][] => {
  if (typeof value !== 'object' || value === null) return [[name, String(value)]];
  const inside = Object.entries(value).flatMap(([key, each]) => leaves(each, name === '' ? key : `${name}.${key}`));
  return Array.isArray(value) ? [[name, value.join('\n')], ...inside] : inside;
};

/** What a template need not have: nothing, or what most apps have. */
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

/** Text with the feature's names and the members of its app's template in place of `{{name}}`. */
export const filledFor = (names: FeatureNames, template: FeatureTemplate, text: string): string =>
  filled(text, { ...USUAL, ...Object.fromEntries(leaves(template)), ...names });

/** Throws, with the apps that there are, when there is none of this name. */
export const templateOf = (app: string, root: string): FeatureTemplate => {
  const apps = readdirSync(join(root, 'apps'));
  if (!apps.includes(app)) throw new Error(`There is no app ${app}. Apps: ${apps.join(', ')}.`);
  const file = join(root, 'apps', app, 'feature.template.ts');
  if (!existsSync(file)) throw new Error(`apps/${app}/feature.template.ts is missing: it says how a feature looks.`);
  return (createRequire(__filename)(file) as { template: FeatureTemplate }).template;
};
