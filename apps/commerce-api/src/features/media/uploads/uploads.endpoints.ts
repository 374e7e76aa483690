import { dataOf, done, oneOf, pageOf, type Endpoint } from '@platform/http';
import type { Caller } from '../../../abilities';
import type { byOf } from '../../../by';
import { rowEndpoint as endpoint } from '../../../endpoint';
import { refusals } from '../../../refusals';
import type { MediaLibrary } from './media.library';
import { FILE_LIMIT, mediaRefusals } from './media.rules';
import { Media, MediaQuery, UploadBody, type Purpose } from './uploads.dto';

/** Bytes of the form around a file. */
export const FORM_MARGIN = 64 * 1024;
const TAG = 'Settings';

/** Gives private files their links. */
interface Privately {
  shownTo(caller: Caller, media: Media): Media;
}

/** What of a store's files this caller does not even learn of. */
export const hiddenFrom = ({ sight, abilities }: Caller): Purpose[] => [
  ...(sight ? (['proof'] as const) : []),
  ...(abilities.has('kyc.write') ? [] : (['document'] as const)),
];

export const uploadsEndpoints = (
  media: MediaLibrary,
  privately: Privately,
  by: ReturnType<typeof byOf>,
): Endpoint[] => [
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
    refuses: [mediaRefusals.wrongType, refusals.planLimit],
    handle: async (input) =>
      privately.shownTo(input.caller, await media.keep(by(input), input.files[0], input.body.purpose)),
  }),
  endpoint({
    get: '/api/upload',
    summary: 'Media library',
    tag: TAG,
    guard: 'member',
    query: MediaQuery,
    reply: pageOf(Media),
    refuses: [],
    handle: async (input) => {
      const { caller, query } = input;
      await media.arrivals.look(by(input));
      const page = await media.list(caller.storeId, { ...query, without: hiddenFrom(caller) });
      return { ...page, rows: page.rows.map((each) => privately.shownTo(caller, each)) };
    },
  }),
  endpoint({
    delete: '/api/upload/{id}',
    summary: 'Delete unused file',
    tag: TAG,
    guard: 'upload.write',
    reply: done('File deleted'),
    refuses: ['notFound', mediaRefusals.inUse],
    handle: (input) => media.delete(by(input), input.params.id),
  }),
  endpoint({
    get: '/blob/{token}',
    summary: 'A private file',
    description: 'By a link that was made for one who may see it: a quarter of an hour, and no longer than they may.',
    tag: TAG,
    guard: 'opened',
    reply: oneOf('bytes', 'redirect'),
    refuses: ['notFound', refusals.linkExpired],
    handle: ({ caller, headers }) => media.servePrivately(caller, headers),
  }),
];
