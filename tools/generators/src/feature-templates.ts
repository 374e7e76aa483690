import type { FeatureNames } from './feature-names';

/** How an app learns a caller's store; the rest of a feature is the same everywhere. */
interface Tenancy {
  imports: string;
  expression: string;
  extra: string;
}

const ofPrincipal: Tenancy = {
  imports: "import type { Principal } from '@platform/auth';\nimport { Forbidden } from '@platform/errors';\n",
  expression: 'storeOf(caller)',
  extra: `/** The tenant comes from the token, never from the request. */
const storeOf = (caller: Principal): string => {
  if (caller.kind === 'token' && caller.claims.store_id !== '') return caller.claims.store_id;
  throw new Forbidden('a token of a store is needed');
};

`,
};

const ofScope = ({ up }: FeatureNames): Tenancy => ({
  imports: `import { requireStore } from '${up}features/tenancy/scope';\n`,
  expression: 'requireStore(caller, caller.storeId)',
  extra: '',
});

const endpoints = (names: FeatureNames): string => {
  const { imports, expression, extra } = names.app === 'chat-backend' ? ofScope(names) : ofPrincipal;
  const { kebab, camel, pascal, one, onePascal, up } = names;
  const prefix = names.app === 'chat-backend' ? '/v1' : '/api';
  return `import type { Endpoint } from '@platform/http';
${imports}import { endpoint } from '${up}endpoint';
import { New${onePascal}, ${onePascal}Reply, ${pascal}Reply } from './${kebab}.dto';
import type { ${pascal}Service } from './${kebab}.service';

${extra}export const ${camel}Endpoints = (${camel}: ${pascal}Service): Endpoint[] => [
  endpoint({
    get: '${prefix}/${kebab}',
    summary: 'All ${kebab} of the store',
    guard: 'jwt',
    reply: ${pascal}Reply,
    handle: async ({ caller }) => ({ data: await ${camel}.list(${expression}) }),
  }),
  endpoint({
    post: '${prefix}/${kebab}',
    summary: 'Creates one ${one}',
    guard: 'jwt',
    body: New${onePascal},
    status: 201,
    reply: ${onePascal}Reply,
    handle: ({ caller, body }) => ${camel}.create(${expression}, body),
  }),
  endpoint({
    get: '${prefix}/${kebab}/{id}',
    summary: 'One ${one}',
    guard: 'jwt',
    reply: ${onePascal}Reply,
    handle: ({ caller, params }) => ${camel}.get(${expression}, params.id),
  }),
];
`;
};

const dto = ({ onePascal, pascal }: FeatureNames): string => `import { List, Text } from '@platform/validation';

export class New${onePascal} {
  @Text({ max: 200, trim: true }) name!: string;
}

export class ${onePascal}Reply {
  @Text() id!: string;
  @Text() name!: string;
}

export class ${pascal}Reply {
  @List(() => ${onePascal}Reply) data!: ${onePascal}Reply[];
}
`;

const service = ({
  kebab,
  one,
  onePascal,
  pascal,
}: FeatureNames): string => `import { NotFound } from '@platform/errors';
import { uuidv7 } from '@platform/runtime';
import type { New${onePascal}, ${onePascal}Reply } from './${kebab}.dto';
import type { ${pascal}Repository } from './${kebab}.repository';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export class ${pascal}Service {
  constructor(private readonly repository: ${pascal}Repository) {}

  list(storeId: string): Promise<${onePascal}Reply[]> {
    return this.repository.list(storeId);
  }

  async create(storeId: string, { name }: New${onePascal}): Promise<${onePascal}Reply> {
    const row = { id: uuidv7(), name };
    await this.repository.add({ storeId, ...row });
    return row;
  }

  /** Throws \`NotFound\` also when another store has it. */
  async get(storeId: string, id: string): Promise<${onePascal}Reply> {
    const row = UUID.test(id) ? await this.repository.find(storeId, id) : undefined;
    if (!row) throw new NotFound('${one.replaceAll('-', ' ')} not found');
    return row;
  }
}
`;

const repository = ({
  kebab,
  one,
  onePascal,
  pascal,
}: FeatureNames): string => `import type { Database } from '@platform/data';
import { ${onePascal} } from './${one}.entity';
import type { ${onePascal}Reply } from './${kebab}.dto';

const shown = ({ id, name }: ${onePascal}): ${onePascal}Reply => ({ id, name });

/** Every statement names the store. */
export class ${pascal}Repository {
  constructor(private readonly database: Database) {}

  async list(storeId: string): Promise<${onePascal}Reply[]> {
    const rows = await this.database.entities.find(${onePascal}, { where: { storeId }, order: { id: 'ASC' }, take: 200 });
    return rows.map(shown);
  }

  async find(storeId: string, id: string): Promise<${onePascal}Reply | undefined> {
    const row = await this.database.entities.findOneBy(${onePascal}, { storeId, id });
    return row ? shown(row) : undefined;
  }

  async add(row: Pick<${onePascal}, 'storeId' | 'id' | 'name'>): Promise<void> {
    await this.database.entities.insert(${onePascal}, row);
  }
}
`;

const entity = ({ onePascal, table }: FeatureNames): string => `import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('${table}')
export class ${onePascal} {
  @PrimaryColumn('text', { name: 'store_id' }) storeId!: string;
  @PrimaryColumn('uuid') id!: string;
  @Column('text') name!: string;
}
`;

const migration = (
  { pascal, table }: FeatureNames,
  stamp: number,
): string => `import { ForwardMigration } from '@platform/data';

export class Create${pascal}${stamp} extends ForwardMigration {
  readonly steps = [
    \`CREATE TABLE ${table} (
      store_id text NOT NULL,
      id uuid NOT NULL,
      name text NOT NULL,
      created_at timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (store_id, id))\`,
  ];
}
`;

const spec = (names: FeatureNames, stamp: number): string => {
  const { kebab, one, onePascal, pascal, camel, table, up } = names;
  return `import { NotFound } from '@platform/errors';
import { testDatabase, truncateAll, type TestDatabase } from '@platform/testing';
import { Create${pascal}${stamp} } from '${up}migrations/${stamp}-create-${kebab}';
import { ${onePascal} } from './${one}.entity';
import { ${pascal}Repository } from './${kebab}.repository';
import { ${pascal}Service } from './${kebab}.service';

describe('${kebab}', () => {
  let database: TestDatabase;
  let ${camel}: ${pascal}Service;
  beforeAll(async () => {
    database = await testDatabase({ schema: '${table}', entities: [${onePascal}], migrations: [Create${pascal}${stamp}] });
    ${camel} = new ${pascal}Service(new ${pascal}Repository(database));
  });
  afterEach(() => truncateAll(database));
  afterAll(() => database.stop?.());

  it('are listed in the order in which they were created', async () => {
    const first = await ${camel}.create('S1', { name: 'first' });
    const second = await ${camel}.create('S1', { name: 'second' });
    expect(await ${camel}.list('S1')).toEqual([
      { id: first.id, name: 'first' },
      { id: second.id, name: 'second' },
    ]);
  });

  it('do not exist for another store', async () => {
    const { id } = await ${camel}.create('S1', { name: 'mine' });
    expect(await ${camel}.list('S2')).toEqual([]);
    await expect(${camel}.get('S2', id)).rejects.toThrow(NotFound);
  });

  it('answer "not found" for an id that is none', async () => {
    await expect(${camel}.get('S1', 'none')).rejects.toThrow(NotFound);
  });
});
`;
};

/** The files of a feature by their path in the workspace. `stamp` is the migration's: milliseconds since 1970. */
export const featureFiles = (names: FeatureNames, stamp: number): Record<string, string> => {
  const { app, folder, kebab, one } = names;
  const path = `apps/${app}/src/features/${folder}`;
  return {
    [`${path}/${kebab}.endpoints.ts`]: endpoints(names),
    [`${path}/${kebab}.dto.ts`]: dto(names),
    [`${path}/${kebab}.service.ts`]: service(names),
    [`${path}/${kebab}.repository.ts`]: repository(names),
    [`${path}/${one}.entity.ts`]: entity(names),
    [`${path}/${kebab}.spec.ts`]: spec(names, stamp),
    [`apps/${app}/src/migrations/${stamp}-create-${kebab}.ts`]: migration(names, stamp),
  };
};
