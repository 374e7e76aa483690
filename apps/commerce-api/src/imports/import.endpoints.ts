import { dataOf, type Endpoint } from '@platform/http';
import type { Ability, Caller } from '../abilities';
import { rowEndpoint as endpoint } from '../endpoint';
import { refusals } from '../refusals';
import { ImportBody, Job } from './import.dto';
import { importRefusals, type Importer } from './importer';

export const FILE_LIMIT = 10 * 1024 * 1024;
const FORM_MARGIN = 64 * 1024;

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
    handle: (input) => importer.start(admit(input).caller, input.files[0], input.body),
  }),
  endpoint({
    get: `${path}/import/{jobId}`,
    summary: 'Import progress and row errors',
    tag,
    guard,
    reply: dataOf(Job),
    refuses: ['notFound', refusals.abilityMissing],
    handle: (input) => importer.find(admit(input).caller.storeId, input.params.jobId),
  }),
];
