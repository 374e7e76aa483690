import type { Database } from '@platform/data';
import { Text } from '@platform/validation';
import type { byOf } from '../../../by';
import type { AccountsClient } from '../../../clients/store-auth.accounts';
import type { Reader } from '../../../web/i18n/reader';
import type { Pages } from '../../../web/kit';
import { action, actions, page } from '../../../web/page';
import { within } from '../../../web/within';
import { DocumentBody, KYC_FILE_LIMIT, KycCorrection, NewKyc, type KycService } from '../kyc/public';
import { PhoneCode } from '../phone/public';
import type { PhoneCodes } from '../phone/public';
import { verificationTexts } from './verification.texts';
import { VerificationView, type Phone } from './verification.view';

interface Parts {
  readonly database: Database;
  readonly kyc: KycService;
  readonly phone: PhoneCodes;
  readonly accounts: Pick<AccountsClient, 'find'>;
  readonly by: ReturnType<typeof byOf>;
}

class Correction extends KycCorrection {
  @Text({ format: 'uuid' }) id!: string;
}
class Document extends DocumentBody {
  @Text({ format: 'uuid' }) id!: string;
}

const TO = '/verification';
const ABILITY = 'kyc.write';
/** Numbers of identity cards are kept in no draft of a form. */
const secretFields = ['data[national_id]', 'data[tax_id]', 'code'];

const labels = (t: Reader) => {
  const { names, document, file, phone } = verificationTexts(t);
  const fields = Object.entries(names).map(([name, text]) => [`data[${name}]`, text]);
  return { ...(Object.fromEntries(fields) as Record<string, string>), kind: document, file, code: phone.code };
};

const conflicts = {
  already_submitted: { text: (t: Reader) => verificationTexts(t).already },
  invalid_transition: { text: (t: Reader) => verificationTexts(t).closed },
  no_phone: { text: (t: Reader) => verificationTexts(t).phone.none },
  unsupportedMedia: { field: 'file', text: (t: Reader) => verificationTexts(t).wrongType },
};

/** All was done before. */
const nothing = (): Promise<void> => Promise.resolve();
const back =
  (text: (t: Reader) => string) =>
  (_: unknown, { t }: { readonly t: Reader }) => ({
    to: TO,
    flash: text(t),
  });

const ofPhone = ({ phone }: Parts) => ({
  send: action({
    before: ({ viewer }) => phone.request(viewer.caller.actor),
    run: nothing,
    done: back((t) => verificationTexts(t).phone.sent),
  }),
  confirm: action({
    body: PhoneCode,
    before: ({ viewer, body }) => phone.confirm(viewer.caller.actor, body.code),
    run: nothing,
    done: back((t) => verificationTexts(t).phone.done),
  }),
});

const ofIdentity = ({ kyc, by }: Parts) => ({
  begin: action({
    body: NewKyc,
    run: ({ viewer, body, tx }) => kyc.within(within(tx)).begin(by(viewer), body),
    done: back((t) => verificationTexts(t).begun),
  }),
  correct: action({
    body: Correction,
    run: ({ viewer, body: { id, data }, tx }) => kyc.within(within(tx)).correct(by(viewer), id, data),
    done: back((t) => verificationTexts(t).saved),
  }),
  // The same document again takes the place of the one before
  document: action({
    body: Document,
    before: ({ viewer, body: { id, kind }, files }) => kyc.attach(by(viewer), id, files[0], kind),
    run: nothing,
    done: back((t) => verificationTexts(t).uploaded),
  }),
});

/** Who stands behind a shop, and the number of who runs it. */
export const verificationPages = (parts: Parts): Pages => {
  const { kyc, accounts } = parts;
  const one = page({
    ...{ get: TO, ability: ABILITY, isSecret: true, labels, conflicts },
    title: ({ t }) => t.nav.places.verification,
    load: async ({ viewer: { caller } }) => {
      const [checks, account] = await Promise.all([kyc.all(caller.storeId), accounts.find(caller.actor)]);
      const phone: Phone = { number: account?.phone ?? null, isProved: account?.phone_verified ?? false };
      return { checks, phone };
    },
    view: VerificationView,
  });
  const posted = actions({
    ...{ post: TO, ability: ABILITY, of: one, secretFields, mostBytes: KYC_FILE_LIMIT, fileAction: 'document' },
    on: { ...ofIdentity(parts), ...ofPhone(parts) },
  });
  return (kit) => [one, posted].flatMap((pages) => pages(kit));
};
