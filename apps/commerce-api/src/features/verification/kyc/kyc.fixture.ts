import { secretBox } from '@platform/auth';
import type { Logger } from '@platform/runtime';
import type { Commerce } from '../../../commerce.fixture';
import { settings } from '../../../config';
import { MediaDisk } from '../../media/storage/public';
import { MediaLibrary } from '../../media/uploads/public';
import { KycService } from './kyc.service';
import { KycRows } from './kyc.sql';
import { forgetDocuments } from './kyc.sweep';

/** What operators and the clock do with the checks of a service. */
export const kycOf = ({ app: { database }, clock, mediaDir }: Commerce) => {
  const media = new MediaLibrary(database, { store: new MediaDisk(mediaDir), publicUrl: '' });
  const rows = new KycRows(secretBox(settings.SHOP_SECRETS_KEY.fallback ?? ''));
  return {
    kyc: new KycService({ database, media, rows, autoApprove: false }),
    forget: (logger: Logger) => forgetDocuments({ database, media, clock, logger }),
  };
};
