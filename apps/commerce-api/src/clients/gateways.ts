import { httpClient, type HttpClient } from '@platform/http';
import type { Clock } from '@platform/runtime';
import type { IncomingHttpHeaders } from 'node:http';
import type { GatewayClient, GatewayCode, NoticeReader } from '../features/gateways/port';
import type { DokuAccount, DuitkuAccount, Places, PlatformFee, XenditAccount } from './gateway.settings';
import { dokuClient, dokuNotices, dokuSender } from './pay-a.doku';
import { xenditClient, xenditNotices, xenditSender } from './pay-b.xendit';
import { duitkuClient, duitkuNotices, duitkuSender } from './pay-c.duitku';
import { providerLine } from './provider.call';

/** One account at one provider: what asks it, and what reads its notices. */
export interface GatewayAccount {
  readonly client: GatewayClient;
  readonly notices: NoticeReader;
}

/** A provider that this installation may use. */
export interface Gateway {
  readonly code: GatewayCode;
  /** What the platform takes of a payment to its own account. */
  readonly fee: PlatformFee;
  /** A notice's fact is to be asked for before it settles anything. */
  readonly confirms: boolean;
  /** The platform's own; undefined: stores bring theirs. */
  readonly platform: GatewayAccount | undefined;
  /** A store's own, by the credentials that it has set for this method. */
  account(credentials: Readonly<Record<string, string>>): GatewayAccount;
  /** Which account a notice says it is for, unproven; undefined: it says nothing. Equals `sender(credentials)` of that account. */
  senderOf(headers: IncomingHttpHeaders, raw: Buffer): string | undefined;
  sender(credentials: Readonly<Record<string, string>>): string;
}

export interface Gateways {
  /** Undefined: there is no such provider here. */
  of(code: GatewayCode): Gateway | undefined;
  /** The connections; stopped with the service. */
  readonly components: readonly HttpClient[];
}

interface Dialect<Account> {
  readonly fee: PlatformFee;
  readonly confirms: boolean;
  readonly own: Account | undefined;
  readonly open: (account: Account) => GatewayAccount;
  readonly senderOf: Gateway['senderOf'];
  readonly sender: (account: Account) => string;
}

const gateway = <Account extends object>(code: GatewayCode, dialect: Dialect<Account>): Gateway => {
  const { fee, confirms, own, open, senderOf, sender } = dialect;
  return {
    ...{ code, fee, confirms, senderOf },
    platform: own && open(own),
    // Their names were checked when they were set
    account: (credentials) => open(credentials as Account),
    sender: (credentials) => sender(credentials as Account),
  };
};

/** The providers of the settings, each over connections of its own. Nothing connects before it is asked. */
export const openGateways = (places: Places, clock?: Clock): Gateways => {
  const components: HttpClient[] = [];
  const lineTo = (name: string, baseUrl: string) => {
    const http = httpClient(name, baseUrl);
    components.push(http);
    return { line: providerLine(name, http), ...(clock ? { clock } : {}) };
  };
  const { a, b, c } = places;
  const found = new Map<GatewayCode, Gateway>();
  if (a) {
    const place = { ...lineTo('doku', a.baseUrl), publicUrl: a.publicUrl };
    const open = (account: DokuAccount) => ({
      ...{ client: dokuClient(place, account), notices: dokuNotices(a.publicUrl, account) },
    });
    const sender = ({ client_id }: DokuAccount) => client_id;
    const known = { fee: a.fee, own: a.account, confirms: false };
    found.set('a', gateway('a', { ...known, open, sender, senderOf: dokuSender }));
  }
  if (b) {
    const place = lineTo('xendit', b.baseUrl);
    const open = (account: XenditAccount) => ({
      ...{ client: xenditClient(place, account), notices: xenditNotices(account) },
    });
    const sender = ({ callback_token }: XenditAccount) => callback_token;
    const known = { fee: b.fee, own: b.account, confirms: b.confirm };
    found.set('b', gateway('b', { ...known, open, sender, senderOf: xenditSender }));
  }
  if (c) {
    const place = { ...lineTo('duitku', c.baseUrl), publicUrl: c.publicUrl };
    const open = (account: DuitkuAccount) => ({
      ...{ client: duitkuClient(place, account), notices: duitkuNotices(account) },
    });
    const sender = ({ merchant }: DuitkuAccount) => merchant;
    const known = { fee: c.fee, own: c.account, confirms: true };
    found.set('c', gateway('c', { ...known, open, sender, senderOf: (_, raw) => duitkuSender(raw) }));
  }
  return { of: (code) => found.get(code), components };
};
