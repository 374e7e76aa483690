import type { SecretBox } from '@platform/auth';
import type { Database } from '@platform/data';
import { Choice, Text } from '@platform/validation';
import type { byOf } from '../../../by';
import type { Reader } from '../../../web/i18n/reader';
import type { Pages } from '../../../web/kit';
import { action, actions, page } from '../../../web/page';
import { percentsTyped } from '../../../web/percent';
import { Seen } from '../../../web/seen';
import type { Typed } from '../../../web/sessions/drafts';
import { accountsOf, addAccount, changeAccount, removeAccount, TransferAccountBody } from '../accounts/public';
import {
  changeMethod,
  credentialNames,
  isGatewayCode,
  MethodBody,
  methodCodes,
  methodsOf,
  type Gateways,
  type MethodCode,
} from '../methods/public';
import { paymentTexts } from './payments.texts';
import { PaymentsView } from './payments.view';

interface Parts {
  readonly database: Database;
  readonly by: ReturnType<typeof byOf>;
  readonly box: SecretBox;
  readonly gateways: Gateways;
}

class MethodEdit extends MethodBody {
  @Choice(methodCodes) code!: MethodCode;
  @Seen() seen!: string;
}
class AccountEdit extends TransferAccountBody {
  @Text({ format: 'uuid' }) id!: string;
  @Seen() seen!: string;
}
class AccountNamed {
  @Text({ format: 'uuid' }) id!: string;
}

const TO = '/settings/payments';
const CREDENTIAL = 'credentials[';
const secretFields = methodCodes.flatMap((code) => credentialNames(code).map((name) => `${CREDENTIAL}${name}]`));

/** A box that is not ticked says no; credentials of which nothing is typed stay as they are. */
const methodTyped = ({ forget, ...typed }: Typed): Typed => {
  const given = Object.entries(typed).filter(([name]) => name.startsWith(CREDENTIAL));
  const isKept = given.every(([, value]) => value === '');
  const others = Object.entries(typed).filter(([name]) => !name.startsWith(CREDENTIAL));
  const credentials = forget === undefined ? (isKept ? [] : given) : [['credentials', ''] as const];
  return percentsTyped({ enabled: 'false', ...Object.fromEntries([...others, ...credentials]) });
};
const accountTyped = (typed: Typed): Typed => ({ active: 'false', ...typed });

const labels = (t: Reader): Readonly<Record<string, string>> => {
  const say = paymentTexts(t);
  const words: Readonly<Record<string, string>> = { ...say.credentials, merchant: say.merchant };
  const named = secretFields.map((field) => [field, words[field.slice(CREDENTIAL.length, -1)] ?? field]);
  return {
    ...{ fee_bearer: say.bearer, 'fee[fixed]': say.feeFixed, 'fee[percent_bp]': say.feePercent },
    ...{ min: say.min, max: say.max, credentials: say.own, ...(Object.fromEntries(named) as object) },
    ...{ bank_code: say.bank, number: say.number, holder: say.holder },
  };
};

const said = (name: 'unavailable' | 'inUse' | 'tooMany' | 'last') => ({ text: (t: Reader) => paymentTexts(t)[name] });
const conflicts = {
  provider_unavailable: said('unavailable'),
  account_in_use: said('inUse'),
  too_many_accounts: said('tooMany'),
  last_account: said('last'),
};

const saidAt =
  (name: 'added' | 'changed' | 'removed') =>
  (_: unknown, { t }: { readonly t: Reader }) => ({
    to: TO,
    flash: paymentTexts(t)[name],
  });

const ofAccounts = ({ by }: Parts) => ({
  add: action({
    ...{ body: TransferAccountBody, reads: accountTyped, done: saidAt('added') },
    run: ({ viewer, body, tx }) => addAccount(tx, by(viewer), body),
  }),
  save: action({
    ...{ body: AccountEdit, reads: accountTyped, done: saidAt('changed') },
    run: ({ viewer, body: { id, seen, ...body }, tx }) => changeAccount(tx, by(viewer), id, body, seen),
  }),
  remove: action({
    ...{ body: AccountNamed, done: saidAt('removed') },
    run: ({ viewer, body, tx }) => removeAccount(tx, by(viewer), body.id),
  }),
});

/** How buyers can pay. Gateways that this installation cannot use are not shown. */
export const paymentsPages = (parts: Parts): Pages => {
  const { database, by, box, gateways } = parts;
  const all = page({
    ...{ get: TO, ability: 'payment.settings', back: '/settings/shop', isSecret: true, labels, conflicts },
    title: ({ t }) => t.nav.places.payments,
    load: async ({ viewer: { caller } }) => {
      const [methods, accounts] = await Promise.all([
        methodsOf(database, caller.storeId, gateways),
        accountsOf(database, caller.storeId),
      ]);
      return { accounts, methods: methods.filter(({ code }) => !isGatewayCode(code) || gateways.isThere(code)) };
    },
    view: PaymentsView,
  });
  const posted = actions({
    ...{ post: TO, ability: 'payment.settings', of: all, secretFields },
    on: {
      ...ofAccounts(parts),
      method: action({
        ...{ body: MethodEdit, reads: methodTyped },
        run: ({ viewer, body: { code, seen, ...body }, tx }) =>
          changeMethod(tx, { by: by(viewer), box, gateways }, code, body, seen),
        done: ({ code }, { t }) => ({ to: TO, flash: paymentTexts(t).saved({ name: paymentTexts(t).names[code] }) }),
      }),
    },
  });
  return (kit) => [all, posted].flatMap((pages) => pages(kit));
};
