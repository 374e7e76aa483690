import { dataOf, type Endpoint } from '@platform/http';
import type { Ability, Caller } from '../abilities';
import { rowEndpoint as endpoint } from '../endpoint';
import { refusals } from '../refusals';
import { succeeds, NEW_ID } from '../examples';
import { ImportBody, Job } from './import.dto';
import { importRefusals, type Importer } from './importer';

const FILE_LIMIT = 10 * 1024 * 1024;
const FORM_MARGIN = 64 * 1024;

const jobExample = (kind: string, more: object = {}) => ({
  ...{ id: NEW_ID, kind, state: 'preview', progress: { done: 0, total: 2 } },
  ...{ errors: [{ row: 4, field: 'price', message: 'price must be an integer' }], result: null },
  ...{ created_at: '2026-03-01T08:00:00.000Z', ...more },
});

/** Where a kind is imported, and by whom. */
export interface ImportPlace {
  readonly path: `/api/${string}`;
  readonly guard: Ability;
  readonly tag: string;
  /** Throws for a caller whom the ability alone does not admit. */
  admit<Input extends { readonly caller: Caller }>(input: Input): Input;
}

/** The two routes of an import under `/api`. */
export const importEndpoints = (importer: Importer, { path, guard, tag, admit }: ImportPlace): Endpoint[] => [
  endpoint({
    post: `${path}/import`,
    summary: 'Start CSV import with preview',
    description: `A file (UTF-8, with a header) makes a preview that writes nothing; \`{"job_id", "commit": true}\` writes it. Columns: ${importer.kind.columns.join(', ')}.`,
    tag,
    guard,
    status: 202,
    accepts: ['multipart', 'json'],
    files: { file: { maxBytes: FILE_LIMIT } },
    formLimit: FILE_LIMIT + FORM_MARGIN,
    body: ImportBody,
    reply: dataOf(Job),
    refuses: ['notFound', refusals.abilityMissing, importRefusals.busy],
    examples: succeeds('a file of three rows', jobExample(importer.kind.name), {
      status: 202,
      request: { mode: 'create' },
    }),
    handle: (input) => importer.start(admit(input).caller, input.files[0], input.body),
  }),
  endpoint({
    get: `${path}/import/{jobId}`,
    summary: 'Import progress and row errors',
    tag,
    guard,
    reply: dataOf(Job),
    refuses: ['notFound', refusals.abilityMissing],
    examples: succeeds(
      'one that is done',
      jobExample(importer.kind.name, {
        ...{ state: 'done', progress: { done: 2, total: 2 } },
        result: { created: 2, updated: 0, unchanged: 0, failed: 0 },
      }),
    ),
    handle: (input) => importer.find(admit(input).caller.storeId, input.params.jobId),
  }),
];
