import { secretBox } from '@platform/auth';
import type { Area, AreaParts } from '../../area';
import { inTime } from '../../astray';
import { byOf } from '../../by';
import type { Mailer } from '../../clients/mail.client';
import type { Config } from '../../config';
import type { Siblings } from '../../siblings.composition';
import { kycEndpoints } from './kyc/kyc.endpoints';
import { KycService, type MediaLibrary, type WhenApproved } from './kyc/kyc.service';
import { KycRows } from './kyc/kyc.sql';
import { forgetDocuments } from './kyc/kyc.sweep';
import { PhoneCodes } from './phone/phone.codes';
import { phoneEndpoints } from './phone/phone.endpoints';
import { verificationPages } from './pages/verification.pages';
import { verificationAbilities } from './verification.abilities';

interface Parts extends AreaParts {
  readonly siblings: Siblings;
  readonly mailer: Mailer;
  readonly media: MediaLibrary;
  readonly whenApproved?: WhenApproved;
}

/** What the commands of operators need of it. */
export interface VerificationArea extends Area {
  readonly kyc: KycService;
  readonly rows: KycRows;
}

/** The identity check of a store, and the phone of who runs it. */
export const composeVerification = (
  { SHOP_SECRETS_KEY, KYC_AUTO_APPROVE: autoApprove, PLATFORM_STORE_ID: platformStore }: Config,
  { database, clock, logger, queue, siblings, mailer, media, whenApproved }: Parts,
): VerificationArea => {
  const rows = new KycRows(secretBox(SHOP_SECRETS_KEY, { setting: 'SHOP_SECRETS_KEY' }));
  const kyc = new KycService({ database, media, rows, autoApprove, whenApproved });
  const { codes, accounts, messages } = siblings;
  const phone = new PhoneCodes({ database, codes, accounts, mailer, messages, platformStore, queue });
  return {
    endpoints: [...kycEndpoints(kyc, byOf(clock)), ...phoneEndpoints(phone)],
    pages: [verificationPages({ database, kyc, phone, accounts, by: byOf(clock) })],
    components: [],
    abilities: verificationAbilities,
    jobs: {
      'phone.send': { effect: 'outside', run: (request, job) => phone.send(request, job) },
      'kyc.forget': {
        effect: 'inside',
        cron: [{ pattern: '11 * * * *' }],
        run: inTime(database, { clock, logger }, (now, signal) =>
          forgetDocuments({ database, media, clock: now, logger }, signal),
        ),
      },
    },
    kyc,
    rows,
  };
};
