import type { FeatureNames } from './feature-names';
import { filledFor, type FeatureTemplate } from './feature-template';

const ENDPOINTS = `import type { Sql } from '@platform/data';
{{endpoints.imports}}
import { add{{One}}, delete{{One}}, find{{One}}, list{{Many}}, missing{{One}} } from './{{kebab}}.sql';

class {{Many}}Query { {{endpoints.whose}}
  @Text({ optional: true, format: 'uuid', description: 'the next cursor of the answer before' }) cursor?: string;
  @Int({ optional: true, min: 1, max: 100, description: '50 unless given' }) limit?: number;
}

class New{{One}} { {{endpoints.whose}}
  @Text({ max: 200, trim: true, example: 'Budi' }) name!: string;
}

class {{One}}View {
  @Text({ format: 'uuid' }) id!: string;
  @Text() name!: string;
}
{{endpoints.classes}}
export const {{all}}Endpoints = ({{endpoints.parameters}}): Endpoint[] => [
  endpoint({
    get: '{{path}}',
    summary: 'The {{many}} of the {{tenant.word}}, newest first',
    guard: '{{endpoints.list.guard}}',
    query: {{Many}}Query,
    reply: {{endpoints.list.reply}},
    refuses: [{{endpoints.refuses}}],
    handle: {{endpoints.list.handle}},
  }),
  endpoint({
    post: '{{path}}',
    summary: 'Adds one {{one}}',
    guard: '{{endpoints.add.guard}}',
    status: 201,
    body: New{{One}},
    reply: {{endpoints.add.reply}},
    refuses: [{{endpoints.refuses}}],
    handle: {{endpoints.add.handle}},
  }),
  endpoint({
    get: '{{path}}/{id}',
    summary: 'One {{one}}',
    guard: '{{endpoints.find.guard}}',{{endpoints.whoseQuery}}
    params: { id: uuid },
    reply: {{endpoints.find.reply}},
    refuses: [missing{{One}}, {{endpoints.refuses}}],
    handle: {{endpoints.find.handle}},
  }),
  endpoint({
    delete: '{{path}}/{id}',
    summary: 'Deletes one {{one}}',
    guard: '{{endpoints.delete.guard}}',{{endpoints.whoseQuery}}
    params: { id: uuid },
    reply: {{endpoints.delete.reply}},
    refuses: [missing{{One}}, {{endpoints.refuses}}],
    handle: {{endpoints.delete.handle}},
  }),
];
`;

const SQL = `import type { Sql } from '@platform/data';
import { NotFound } from '@platform/errors';
import type { Feed } from '@platform/http';
import { uuidv7 } from '@platform/runtime';

export interface {{One}}Row {
  readonly id: string;
  readonly name: string;
}

interface Place {
  readonly cursor?: string;
  readonly limit?: number;
}

/** Newest first. The cursor is the id of the last row, a UUIDv7, which sorts by time. */
export const list{{Many}} = async (
  sql: Sql,
  {{tenant.value}}: string,
  { cursor, limit = 50 }: Place,
): Promise<Feed<{{One}}Row>> => {
  const found = await sql.query<{{One}}Row>(
    \`SELECT id, name FROM {{table}}
     WHERE {{tenant.column}} = $1 AND ($2::uuid IS NULL OR id < $2) ORDER BY id DESC LIMIT $3\`,
    [{{tenant.value}}, cursor, limit + 1],
  );
  const rows = found.slice(0, limit);
  return { rows, nextCursor: found.length > limit ? (rows.at(-1)?.id ?? null) : null };
};

export const missing{{One}} = (): NotFound => new NotFound('{{one}} not found');

/** Throws \`NotFound\`, also when another {{tenant.word}} has it. */
export const find{{One}} = async (sql: Sql, {{tenant.value}}: string, id: string): Promise<{{One}}Row> => {
  const select = 'SELECT id, name FROM {{table}} WHERE {{tenant.column}} = $1 AND id = $2';
  const [row] = await sql.query<{{One}}Row>(select, [{{tenant.value}}, id]);
  if (!row) throw missing{{One}}();
  return row;
};

export const add{{One}} = async (sql: Sql, {{tenant.value}}: string, name: string): Promise<{{One}}Row> => {
  const row = { id: uuidv7(), name };
  await sql.query('INSERT INTO {{table}} ({{tenant.column}}, id, name) VALUES ($1, $2, $3)', [{{tenant.value}}, row.id, name]);
  return row;
};

/** Throws \`NotFound\`, also when another {{tenant.word}} has it. */
export const delete{{One}} = async (sql: Sql, {{tenant.value}}: string, id: string): Promise<void> => {
  const statement = 'DELETE FROM {{table}} WHERE {{tenant.column}} = $1 AND id = $2 RETURNING id';
  const deleted = await sql.query(statement, [{{tenant.value}}, id]);
  if (deleted.length === 0) throw missing{{One}}();
};
`;

const MIGRATION = `import { ForwardMigration } from '@platform/data';

export class Create{{All}}{{stamp}} extends ForwardMigration {
  readonly steps = [
    \`CREATE TABLE {{table}} (
      {{tenant.column}} {{tenant.type}},
      id uuid NOT NULL,
      name text NOT NULL,
      PRIMARY KEY ({{tenant.column}}, id)
    )\`,
  ];
}
`;

const SPEC = `{{spec.imports}}

const PATH = '{{path}}';
{{spec.declares}}
let app: {{spec.type}};
let mine: {{spec.tenants.0}};
let theirs: {{spec.tenants.0}};
beforeAll(async () => {
  {{spec.setup}}app = await {{spec.start}};{{spec.prepare}}
  mine = {{spec.tenants.1}};
  theirs = {{spec.tenants.2}};
});
afterAll(async () => {
  await app.stop();{{spec.cleanup}}
});

/** The answer to somebody of one {{tenant.word}}. */
const ask = async (of: {{spec.tenants.0}}, method: string, path = '', body?: object) => {
  const answer = await {{spec.ask}};
  return { status: answer.status, body: answer.body };
};
const add = async (of: {{spec.tenants.0}}, name: string) => {
  const answer = await ask(of, 'POST', '', { name });
  return { answer, view: { id: (answer.body as { data: { id: string } }).data.id, name } };
};
const one = (status: number, view: object) => ({{spec.one}});
const page = (views: object[], next: string | null = null) => ({{spec.page}});
const deleted = {{spec.deleted}};
const missing = {{spec.missing}};

it('an added {{one}} can be read until it is deleted', async () => {
  const { answer, view } = await add(mine, 'first');
  expect(answer).toEqual(one(201, view));
  expect(await ask(mine, 'GET', \`/\${view.id}\`)).toEqual(one(200, view));
  expect(await ask(mine, 'DELETE', \`/\${view.id}\`)).toEqual(deleted);
  expect(await ask(mine, 'GET', \`/\${view.id}\`)).toEqual(missing);
});

it('the list of {{many}} begins with the newest and continues after its cursor', async () => {
  const { view: older } = await add(mine, 'older');
  const { view: newer } = await add(mine, 'newer');
  expect(await ask(mine, 'GET', '?limit=1')).toEqual(page([newer], newer.id));
  expect(await ask(mine, 'GET', \`?limit=1&cursor=\${newer.id}\`)).toEqual(page([older]));
});

it('{{many}} of one {{tenant.word}} do not exist for another', async () => {
  const { view } = await add(mine, 'mine');
  expect(await ask(theirs, 'GET')).toEqual(page([]));
  expect(await ask(theirs, 'GET', \`/\${view.id}\`)).toEqual(missing);
  expect(await ask(theirs, 'DELETE', \`/\${view.id}\`)).toEqual(missing);
});
`;

/** The files of a feature by their path in the workspace. `stamp` is the migration's: milliseconds since 1970. */
export const featureFiles = (
  app: string,
  names: FeatureNames,
  template: FeatureTemplate,
  stamp: number,
): Record<string, string> => {
  const { folder, kebab } = names;
  const path = `apps/${app}/src/features/${folder}`;
  const texts = {
    [`${path}/${kebab}.endpoints.ts`]: ENDPOINTS,
    [`${path}/${kebab}.sql.ts`]: SQL,
    [`${path}/${kebab}.spec.ts`]: SPEC,
    [`apps/${app}/src/migrations/${stamp}-create-${kebab}.ts`]: MIGRATION.replace('{{stamp}}', String(stamp)),
  };
  return Object.fromEntries(Object.entries(texts).map(([file, text]) => [file, filledFor(names, template, text)]));
};
