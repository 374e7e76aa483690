import { httpClient, type HttpClient } from '@platform/http';
import { systemClock, uuidv7, type Clock } from '@platform/runtime';
import type { IncomingHttpHeaders } from 'node:http';
import type { GatewayClient, NoticeReader } from '../features/gateways/port';
import { dokuSignature, dokuTimestamp } from './doku.signature';
import type { DokuAccount, DuitkuAccount, Places, PlatformFee, XenditAccount } from './gateway.settings';
import { dokuClient, dokuNotices } from './pay-a.doku';
import { xenditClient, xenditNotices } from './pay-b.xendit';
import { duitkuClient, duitkuNotices } from './pay-c.duitku';
import { providerLine, type ProviderLine } from './provider.call';

/** One account at one provider: what asks it, and what reads its notices. */
export interface Till {
  readonly client: GatewayClient;
  readonly notices: NoticeReader;
}

/** One provider, as this installation may use it. */
export interface Slot {
  /** The platform's own account; undefined: stores bring theirs. `name`: how a notice says that it is for this account. */
  readonly platform: (Till & { readonly name: string }) | undefined;
  /** What the platform takes of a payment to its own account. */
  readonly fee: PlatformFee;
  /** A notice that verifies proves what it says; otherwise the provider is asked before anything is paid. */
  readonly trusted: boolean;
  /** The account of a store's own credentials, whose names were checked when they were set. */
  open(credentials: Readonly<Record<string, string>>): Till;
}

export interface DokuFacts {
  readonly invoice_number: string;
  readonly status: string;
  readonly amount: number;
  readonly channel: string;
}

/** A notice as A would send it to this path of ours, signed with the platform's own secret. */
export type SignNotice = (
  path: string,
  facts: DokuFacts,
) => { readonly headers: IncomingHttpHeaders; readonly raw: Buffer };

export interface OpenGateways {
  readonly slots: Readonly<Record<'a' | 'b' | 'c', Slot | undefined>>;
  /** Undefined without an account of the platform at A. */
  readonly sign: SignNotice | undefined;
  /** The connections; stopped with the service. */
  readonly components: readonly HttpClient[];
}

interface Kind<Account> {
  readonly fee: PlatformFee;
  readonly trusted: boolean;
  readonly account: Account | undefined;
  readonly open: (account: Account) => Till;
  readonly name: (account: Account) => string;
}

const slotOf = <Account extends object>({ fee, trusted, account, open, name }: Kind<Account>): Slot => ({
  platform: account && { ...open(account), name: name(account) },
  ...{ fee, trusted },
  open: (credentials) => open(credentials as Account),
});

const dokuSlot = ({ fee, account, publicUrl }: NonNullable<Places['a']>, line: ProviderLine, clock: Clock): Slot =>
  slotOf<DokuAccount>({
    ...{ fee, account, trusted: true, name: ({ client_id }) => client_id },
    open: (of) => ({ client: dokuClient({ line, publicUrl, clock }, of), notices: dokuNotices(publicUrl, of) }),
  });

const xenditSlot = ({ fee, account, confirm }: NonNullable<Places['b']>, line: ProviderLine, clock: Clock): Slot =>
  slotOf<XenditAccount>({
    ...{ fee, account, trusted: !confirm, name: ({ callback_token }) => callback_token },
    open: (of) => ({ client: xenditClient({ line, clock }, of), notices: xenditNotices(of) }),
  });

const duitkuSlot = ({ fee, account, publicUrl }: NonNullable<Places['c']>, line: ProviderLine, clock: Clock): Slot =>
  slotOf<DuitkuAccount>({
    ...{ fee, account, trusted: false, name: ({ merchant }) => merchant },
    open: (of) => ({ client: duitkuClient({ line, publicUrl, clock }, of), notices: duitkuNotices(of) }),
  });

const signer =
  ({ publicUrl }: NonNullable<Places['a']>, { client_id: clientId, secret }: DokuAccount, clock: Clock): SignNotice =>
  (path, { invoice_number, status, amount, channel }) => {
    const [requestId, timestamp] = [uuidv7(), dokuTimestamp(clock.now())];
    const raw = Buffer.from(
      JSON.stringify({
        order: { invoice_number, amount },
        transaction: { status, date: timestamp, original_request_id: requestId },
        channel: { id: channel },
      }),
    );
    const target = new URL(`${publicUrl}${path}`).pathname;
    const signature = dokuSignature({ clientId, requestId, timestamp, target, body: raw }, secret);
    const headers = { 'client-id': clientId, 'request-id': requestId, 'request-timestamp': timestamp, signature };
    return { headers, raw };
  };

/** The providers of the settings, each over connections of its own. Nothing connects before it is asked. */
export const openGateways = ({ a, b, c }: Places, clock: Clock = systemClock): OpenGateways => {
  const components: HttpClient[] = [];
  const line = (name: string, { baseUrl }: { readonly baseUrl: string }): ProviderLine => {
    const http = httpClient(name, baseUrl);
    components.push(http);
    return providerLine(name, http);
  };
  const slots = {
    a: a && dokuSlot(a, line('doku', a), clock),
    b: b && xenditSlot(b, line('xendit', b), clock),
    c: c && duitkuSlot(c, line('duitku', c), clock),
  };
  return { slots, sign: a?.account && signer(a, a.account, clock), components };
};
