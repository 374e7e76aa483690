import { Housekeeping } from '@platform/data';
import { NotFound } from '@platform/errors';
import type { Area, AreaParts } from '../area';
import { productImport } from '../features/catalogue/imports/public';
import { ofAllChats } from '../features/contacts/people/public';
import { importPages } from './import.pages';
import { importEndpoints } from './import.endpoints';
import { ProgressTold } from '../live/public';
import type { ImportKind } from './import.kind';
import { Importer } from './importer';

const admitAll = <Input>(input: Input): Input => input;

const PRODUCTS = {
  path: '/api/products',
  guard: 'product.write',
  tag: 'E-commerce',
  admit: admitAll,
  page: { area: 'products', ability: 'product.write' },
} as const;
const CONTACTS = {
  path: '/api/contact',
  guard: 'contact.write',
  tag: 'Contacts',
  admit: ofAllChats,
  page: { area: 'contacts', ability: 'contact.write+chat.all' },
} as const;

/** Work of any kind that a person began, with what an import has not written: long after it has ended, or was left. */
const JOBS = { table: 'job_row', column: 'updated_at', keepMs: 30 * 86_400_000 };

/** Files that become rows of the areas, each kind by what its area says of it. */
export const composeImports = (
  { database, clock, logger, queue, live }: AreaParts,
  kinds: { readonly contacts: ImportKind },
): Area => {
  const progress = new ProgressTold(live);
  const imports = [
    { kind: productImport(database), ...PRODUCTS },
    { kind: kinds.contacts, ...CONTACTS },
  ];
  const mounted = imports.map(({ kind, ...where }) => ({
    ...where,
    importer: new Importer({ database, clock, queue, progress }, kind),
  }));
  const importerOf = async (storeId: string, id: string): Promise<Importer | undefined> => {
    const find = 'SELECT kind FROM job_row WHERE store_id = $1 AND id = $2';
    const [row] = await database.query<{ kind: string }>(find, [storeId, id]);
    return mounted.find(({ importer }) => importer.kind.name === row?.kind)?.importer;
  };
  return {
    endpoints: mounted.flatMap(({ importer, page: _page, ...where }) => importEndpoints(importer, where)),
    components: [new Housekeeping(database, { clock, logger, expired: [JOBS] })],
    pages: mounted.map(({ importer, page }) => importPages(importer, page)),
    abilities: [],
    jobs: {
      'import.commit': {
        effect: 'inside',
        run: async ({ storeId, id }, job) => {
          const importer = await importerOf(storeId, id);
          if (!importer) throw new NotFound('Job not found');
          await importer.run(storeId, id, job);
        },
      },
    },
  };
};
