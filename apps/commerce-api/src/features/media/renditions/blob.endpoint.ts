import { oneOf, type Endpoint } from '@platform/http';
import { Choice } from '@platform/validation';
import { rowEndpoint as endpoint } from '../../../endpoint';
import { renditionNames, type RenditionName } from '../../../renditions';
import type { MediaLibrary } from '../uploads/public';
import type { Renditions } from './renditions';

class BlobQuery {
  @Choice(renditionNames, {
    optional: true,
    description:
      'A smaller one of a picture, by its width: WebP, and with `j` JPEG. What cannot be made smaller comes as it is',
  })
  as?: RenditionName;
}

/** Public files, and pictures in the size in which they are shown. */
export const blobEndpoint = (media: Pick<MediaLibrary, 'serve'>, renditions: Renditions): Endpoint =>
  endpoint({
    get: '/blob/{store}/{key}',
    summary: 'A public file of a store',
    description: 'Pictures of products, logos and files of messages, under an address that never changes.',
    tag: 'Settings',
    guard: 'none',
    query: BlobQuery,
    reply: oneOf('bytes', 'redirect'),
    refuses: ['notFound'],
    handle: ({ params: { store, key }, query: { as }, headers }) =>
      as === undefined ? media.serve(store, key, headers) : renditions.serve({ store, key, as }, headers),
  });
