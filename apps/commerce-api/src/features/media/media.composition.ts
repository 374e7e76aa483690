import type { Area, AreaParts } from '../../area';
import { byOf } from '../../by';
import type { Config } from '../../config';
import { mediaAbilities } from './media.abilities';
import { MediaDisk } from './uploads/media.disk';
import { MediaLibrary } from './uploads/media.library';
import { uploadsEndpoints } from './uploads/uploads.endpoints';

/** Files of stores, and the library in which other areas find them. */
export const composeMedia = (
  { MEDIA_DIR, PUBLIC_URL }: Config,
  { database, clock }: AreaParts,
): Area & { readonly library: MediaLibrary } => {
  const disk = new MediaDisk(MEDIA_DIR);
  const library = new MediaLibrary(database, disk, PUBLIC_URL);
  return {
    endpoints: uploadsEndpoints(library, byOf(clock)),
    components: [disk],
    abilities: mediaAbilities,
    library,
  };
};
