import type { Area, AreaParts } from '../../area';
import { byOf } from '../../by';
import type { Config } from '../../config';
import { FileLinks, PrivateFiles } from './links/public';
import { mediaAbilities } from './media.abilities';
import { Presigned, type PresignParts } from './presign/presigned';
import { presignEndpoints } from './presign/presign.endpoints';
import { blobEndpoint, Renditions } from './renditions/public';
import { shelfPages } from './shelf/shelf.pages';
import { MediaSweep } from './sweep/media.sweep';
import { sweepJob } from './sweep/sweep.job';
import { openStore, type ObjectStore } from './storage/public';
import { MediaLibrary } from './uploads/public';
import { uploadsEndpoints } from './uploads/uploads.endpoints';

interface MediaParts extends AreaParts {
  readonly access: PresignParts['access'];
}

/** What other areas need of files. */
export interface MediaArea extends Area {
  readonly store: ObjectStore;
  readonly library: MediaLibrary;
  readonly privately: PrivateFiles;
}

/** Files of stores, and the library in which other areas find them. */
export const composeMedia = (config: Config, { database, clock, logger, queue, access }: MediaParts): MediaArea => {
  const { PUBLIC_URL: publicUrl = '', PAY_LINK_SECRET } = config;
  const store = openStore(config);
  const library = new MediaLibrary(database, { store, publicUrl });
  const links = new FileLinks({ secret: `files of ${PAY_LINK_SECRET}`, clock, publicUrl });
  const privately = new PrivateFiles({ sql: database, links, access });
  const presigned = new Presigned({ library, store, links, access, clock });
  const sweep = new MediaSweep({ database, store, arrivals: library.arrivals, clock, logger });
  const by = byOf(clock);
  return {
    endpoints: [
      ...uploadsEndpoints(library, privately, by),
      blobEndpoint(library, new Renditions({ sql: database, store, logger })),
      ...presignEndpoints(presigned, { by, store }),
    ],
    pages: [shelfPages({ database, library, privately, by, publicUrl })],
    components: [store, sweep],
    abilities: mediaAbilities,
    guards: { arriving: presigned.guard, opened: privately.guard },
    jobs: { 'media.sweep': sweepJob(sweep, { database, queue, logger }) },
    store,
    library,
    privately,
  };
};
