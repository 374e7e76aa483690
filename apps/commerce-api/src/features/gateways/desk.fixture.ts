import { Malformed, UpstreamFailed, UpstreamTimedOut } from '@platform/errors';
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Credentials, Slot, Till } from './accounts/public';
import type { Fact, GatewayClient, GatewayCode, NewCheckout, Notice, NoticeReader } from './port';

/** What a payment is at the desk. */
export interface DeskPayment extends Pick<
  NewCheckout,
  'requestId' | 'invoiceNumber' | 'amount' | 'currency' | 'notifyPath' | 'returnUrl'
> {
  readonly ref: string;
  state: Fact['state'];
}

/** How the desk behaves: `lost` does what it is asked, and its answer never comes. */
export type Mood = 'good' | 'down' | 'lost' | 'refuses' | 'hangs';

export interface SignedBody {
  readonly headers: Record<string, string>;
  readonly raw: string;
}

const ACCOUNTS: Readonly<Record<GatewayCode, Credentials>> = {
  a: { client_id: 'MCH-1', secret: 'platform secret a' },
  b: { key: 'key b', callback_token: 'platform token b' },
  c: { merchant: 'D1', key: 'platform key c' },
};

const macOf = (secret: string, ...parts: readonly (string | Buffer)[]): string => {
  const mac = createHmac('sha256', secret);
  for (const part of parts) mac.update(part);
  return mac.digest('hex');
};
const isSame = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));

/** Waits until it is given up. */
const forever = (signal: AbortSignal | undefined): Promise<never> =>
  new Promise((_resolve, reject) => {
    const end = () => reject(new UpstreamTimedOut('the desk is silent'));
    if (signal?.aborted) end();
    signal?.addEventListener('abort', end, { once: true });
  });

/** One provider, in memory: it takes money from nobody, and its notices are signed as plainly as can be. */
export class Desk {
  readonly payments = new Map<string, DeskPayment>();
  readonly expired: string[] = [];
  /** Calls so far, by name. */
  readonly calls = { create: 0, status: 0 };
  /** Calls that hung until nobody waited for them any more. */
  givenUp = 0;
  mood: Mood = 'good';

  constructor(readonly code: GatewayCode) {}

  /** As the settings of the platform would name it. */
  slot(trusted: boolean, hasPlatform = true): Slot {
    const account = ACCOUNTS[this.code];
    const name = [account.client_id, account.callback_token, account.merchant].find((each) => each !== undefined) ?? '';
    return {
      platform: hasPlatform ? { ...this.open(account), name } : undefined,
      ...{ fee: { percentBp: 100, fixed: 500 }, trusted, open: (credentials) => this.open(credentials) },
    };
  }

  open(credentials: Credentials): Till {
    return { client: this.client(), notices: this.reader(credentials) };
  }

  /** What it would send to a path of ours. */
  notice(path: string, body: object, credentials = ACCOUNTS[this.code]): SignedBody {
    if (this.code === 'c') {
      const form = new URLSearchParams({
        merchantCode: credentials.merchant ?? '',
        ...(body as Record<string, string>),
      });
      form.set('signature', this.formMac(form, credentials));
      return { headers: { 'content-type': 'application/x-www-form-urlencoded' }, raw: form.toString() };
    }
    const raw = JSON.stringify(body);
    const json = { 'content-type': 'application/json' };
    if (this.code === 'b') return { raw, headers: { ...json, 'x-callback-token': credentials.callback_token ?? '' } };
    const { client_id = '', secret = '' } = credentials;
    return { raw, headers: { ...json, 'client-id': client_id, signature: macOf(secret, path, raw) } };
  }

  private formMac(form: URLSearchParams, { key = '' }: Credentials): string {
    // Neither the state nor the reference is signed, as with the provider that it stands for
    return macOf(key, form.get('number') ?? '', form.get('amount') ?? '');
  }

  private reader(credentials: Credentials): NoticeReader {
    const verified = (headers: IncomingHttpHeaders, raw: Buffer, path: string): boolean => {
      if (this.code === 'b') return isSame(String(headers['x-callback-token']), credentials.callback_token ?? '');
      if (this.code === 'a') return isSame(String(headers.signature), macOf(credentials.secret ?? '', path, raw));
      const form = new URLSearchParams(raw.toString());
      return isSame(form.get('signature') ?? '', this.formMac(form, credentials));
    };
    return { verify: verified, parse: (raw) => this.read(raw) };
  }

  private read(raw: Buffer): Notice {
    if (this.code === 'c') {
      const form = new URLSearchParams(raw.toString());
      const number = form.get('number');
      if (!number) throw new Malformed('no number');
      return { dedupeKey: `${number}:${form.get('resultCode')}`, invoiceNumber: number };
    }
    let body: Partial<Record<'number' | 'status' | 'id' | 'currency' | 'at', string>> & {
      amount?: unknown;
      payout?: NonNullable<Notice['payout']>;
    };
    try {
      body = JSON.parse(raw.toString()) as typeof body;
    } catch {
      throw new Malformed('not JSON');
    }
    const { number, status, id, currency = 'IDR', amount, payout } = body ?? {};
    if (payout) return { dedupeKey: `payout:${payout.ref}:${payout.state}`, payout };
    if (typeof number !== 'string' || typeof amount !== 'number') throw new Malformed('no number or amount');
    const states: Record<string, Fact['state']> = { SUCCESS: 'paid', FAILED: 'failed', EXPIRED: 'expired' };
    const state = states[String(status)] ?? 'pending';
    const fact = {
      state,
      invoiceNumber: number,
      amount,
      currency,
      paidAt: null,
      rawStatus: String(status),
      ref: id ?? '',
    };
    return { dedupeKey: `${number}:${status}:${id}`, invoiceNumber: number, fact };
  }

  private client(): GatewayClient {
    return {
      code: this.code,
      create: async (checkout, signal) => {
        this.calls.create += 1;
        await this.meet(signal);
        const known = [...this.payments.values()].find(({ requestId }) => requestId === checkout.requestId);
        const ref = known?.ref ?? `ref-${checkout.invoiceNumber}`;
        const { requestId, invoiceNumber, amount, currency, notifyPath, returnUrl } = checkout;
        const asked = { requestId, invoiceNumber, amount, currency, notifyPath, returnUrl };
        const payment = { ...asked, ref, state: 'pending' as const };
        if (!known) this.payments.set(invoiceNumber, payment as DeskPayment);
        if (this.mood === 'lost') throw new UpstreamTimedOut('the answer was lost');
        return { url: `https://desk.example/${invoiceNumber}`, ref, expiresAt: checkout.expiresAt };
      },
      status: async (invoiceNumber, _ref, signal) => {
        this.calls.status += 1;
        await this.meet(signal);
        const known = this.payments.get(invoiceNumber);
        if (!known) return null;
        const { amount, currency, state, ref } = known;
        return { state, invoiceNumber, amount, currency, ref, paidAt: null, rawStatus: state.toUpperCase() };
      },
      ...(this.code === 'b'
        ? {
            expire: async (ref) => void this.expired.push(ref),
            // What becomes of them it tells by notices
            payout: async ({ id }) => ({ ref: `po-${id}`, state: 'accepted' as const }),
            payoutStatus: async (ref) => ({ ref, state: 'accepted' as const }),
          }
        : {}),
    };
  }

  private async meet(signal: AbortSignal | undefined): Promise<void> {
    if (this.mood === 'hangs') await forever(signal).finally(() => (this.givenUp += 1));
    if (this.mood === 'down') throw new UpstreamFailed('no connection', { outcome: 'undone' });
    if (this.mood === 'refuses') throw new UpstreamFailed('no', { outcome: 'refused' });
  }
}
