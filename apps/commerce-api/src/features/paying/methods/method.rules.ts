import { Conflict, InvalidInput, type Failure } from '@platform/errors';
import {
  methodCodes,
  type MethodBody,
  type MethodCode,
  type MethodFee,
  type MethodKind,
  type MethodView,
} from './methods.dto';

/** What a gateway is asked with; what is paid by hand needs none. */
const CREDENTIALS: Readonly<Partial<Record<MethodCode, readonly string[]>>> = {
  a: ['client_id', 'secret'],
  b: ['key', 'callback_token'],
  c: ['merchant', 'key'],
};
/** What a gateway is asked with, of an account of one's own. */
export const credentialNames = (code: MethodCode): readonly string[] => CREDENTIALS[code] ?? [];
const LONGEST_CREDENTIAL = 200;

export const kindOf = (code: MethodCode): MethodKind =>
  code === 'cash' || code === 'transfer' || code === 'cod' ? code : 'gateway';

const gatewayCodes = ['a', 'b', 'c'] as const satisfies readonly MethodCode[];
export type GatewayCode = (typeof gatewayCodes)[number];
export const isGatewayCode = (code: string): code is GatewayCode => (gatewayCodes as readonly string[]).includes(code);

/** The gateways that this installation can use, and on which terms. */
export interface Gateways {
  /** Whether payments can be made there at all, with an account of a store's own. */
  isThere(code: GatewayCode): boolean;
  /** Whether the platform has an account there. */
  hasPlatform(code: GatewayCode): boolean;
  /** What the platform takes of a payment to its account. */
  feeOf(code: GatewayCode): MethodFee;
}

export const isMethodCode = (code: string): code is MethodCode => (methodCodes as readonly string[]).includes(code);

export const methodRefusals = {
  /** Gateways can be set up before they can be used. */
  noProvider: (): Failure =>
    new Conflict('Payments by this provider cannot be made here', { code: 'provider_unavailable' }),
  accountInUse: (): Failure =>
    new Conflict('Payments to this account are waited for: switch the method off, and change it when they have ended', {
      code: 'account_in_use',
    }),
} as const;

/** What a store has set of a method. */
export type MethodTerms = Pick<MethodView, 'enabled' | 'fee_bearer' | 'fee' | 'min' | 'max' | 'channels'>;

/** Of a method that the store has not set: what is paid by hand can be chosen. */
export const usualTerms = (code: MethodCode): MethodTerms => ({
  ...{ enabled: kindOf(code) !== 'gateway', fee_bearer: 'merchant', fee: { percent_bp: 0, fixed: 0 } },
  ...{ min: null, max: null, channels: [] },
});

/** The same as it was written; `sealed`: with an account of the store's own. What it says of a gateway's fee is of the day when it was. */
export type SetTerms = MethodTerms & { readonly sealed: boolean };

const NO_FEE = { percent_bp: 0, fixed: 0 };

/** What holds now: of a gateway the platform's fee of today, and none for a store with an account of its own there. */
export const termsNow = (code: MethodCode, set: SetTerms | null, gateways: Pick<Gateways, 'feeOf'>): MethodTerms => {
  const { sealed, ...terms } = set ?? { ...usualTerms(code), sealed: false };
  return isGatewayCode(code) ? { ...terms, fee: sealed ? NO_FEE : gateways.feeOf(code) } : terms;
};

/** What the buyer pays for a method: nothing when the merchant bears it. */
export const buyersFee = ({ fee_bearer, fee }: MethodTerms): MethodFee => (fee_bearer === 'buyer' ? fee : NO_FEE);

/** Whether an order of this total can be paid so. */
export const takes = ({ min, max }: MethodTerms, total: number): boolean =>
  total >= (min ?? 0) && (max === null || total <= max);

const wrong = (field: string, tag: string, text: string): InvalidInput =>
  new InvalidInput([{ field, tag, message: `${field} ${text}` }]);

/** Throws `InvalidInput` unless a new order of this total can be paid so. */
export const refuseUnusable = (terms: MethodTerms, total: number): void => {
  if (!terms.enabled) throw wrong('payment_method', 'enabled', 'is switched off in this store');
  if (!takes(terms, total)) throw wrong('payment_method', 'total', 'is not for orders of this total');
};

/** The terms after a change. Throws `InvalidInput` for what this kind of method has not. */
export const changedTerms = (code: MethodCode, before: MethodTerms, body: MethodBody): MethodTerms => {
  const isGateway = kindOf(code) === 'gateway';
  if (!isGateway && body.channels !== undefined) throw wrong('channels', 'gateway', 'are only of a gateway');
  if (isGateway && body.fee !== undefined) throw wrong('fee', 'platform', "is the platform's to set");
  const { credentials: _credentials, ...given } = body;
  const { min, max, ...others } = { ...before, ...given };
  const terms = { ...others, min: min || null, max: max || null };
  if (terms.max !== null && terms.max < (terms.min ?? 0)) throw wrong('max', 'min', 'must not be below min');
  return terms;
};

/** Credentials to be sealed as JSON; null: to be taken away. Throws `InvalidInput` unless they are those of the provider. */
export const checkedCredentials = (code: MethodCode, given: object): string | null => {
  const names = CREDENTIALS[code];
  if (!names) throw wrong('credentials', 'gateway', 'are only of a gateway');
  const entries = Object.entries(given);
  if (entries.length === 0) return null;
  const isComplete = entries.length === names.length && names.every((name) => Object.hasOwn(given, name));
  if (!isComplete) throw wrong('credentials', 'members', `must have exactly ${names.join(' and ')}`);
  const odd = entries.find(([, value]) => !isCredential(value));
  if (odd) throw wrong(`credentials.${odd[0]}`, 'text', `must be a text of 1 to ${LONGEST_CREDENTIAL} characters`);
  return JSON.stringify(given);
};

const isCredential = (value: unknown): boolean =>
  typeof value === 'string' && value.trim() !== '' && value.length <= LONGEST_CREDENTIAL;
