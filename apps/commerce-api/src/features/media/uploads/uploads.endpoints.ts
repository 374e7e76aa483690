import { dataOf, done, pageOf, type Endpoint } from '@platform/http';
import type { byOf } from '../../../by';
import { rowEndpoint as endpoint } from '../../../endpoint';
import { mediaRefusals, type MediaLibrary } from './media.library';
import { Media, MediaQuery, UploadBody } from './uploads.dto';
import { uploadExamples } from './uploads.examples';

/** Bytes of a file, and of the form around it. */
export const FILE_LIMIT = 10 * 1024 * 1024;
export const FORM_MARGIN = 64 * 1024;
const TAG = 'Settings';

export const uploadsEndpoints = (media: MediaLibrary, by: ReturnType<typeof byOf>): Endpoint[] => [
  endpoint({
    post: '/api/upload',
    summary: 'Upload file through the API',
    description: 'What a file is follows from its first bytes. SVG, HTML and programs are refused.',
    tag: TAG,
    guard: 'upload.write',
    status: 201,
    accepts: ['multipart', 'json'],
    files: { file: { maxBytes: FILE_LIMIT } },
    formLimit: FILE_LIMIT + FORM_MARGIN,
    body: UploadBody,
    reply: dataOf(Media, 'File uploaded'),
    refuses: [mediaRefusals.wrongType],
    examples: uploadExamples.upload,
    handle: (input) => media.keep(by(input), input.files[0], input.body.purpose),
  }),
  endpoint({
    get: '/api/upload',
    summary: 'Media library',
    tag: TAG,
    guard: 'member',
    query: MediaQuery,
    reply: pageOf(Media),
    refuses: [],
    examples: uploadExamples.list,
    handle: ({ caller, query }) => media.list(caller.storeId, query),
  }),
  endpoint({
    delete: '/api/upload/{id}',
    summary: 'Delete unused file',
    tag: TAG,
    guard: 'upload.write',
    reply: done('File deleted'),
    refuses: ['notFound', mediaRefusals.inUse],
    examples: uploadExamples.delete,
    handle: (input) => media.delete(by(input), input.params.id),
  }),
  endpoint({
    get: '/blob/{store}/{key}',
    summary: 'A public file of a store',
    description: 'Pictures of products, logos and files of messages, under an address that never changes.',
    tag: TAG,
    guard: 'none',
    reply: 'bytes',
    refuses: ['notFound'],
    handle: ({ params, headers }) => media.serve(params.store, params.key, headers),
  }),
];
