import { startDokuSandbox, startDuitkuSandbox, startXenditSandbox, type RunningTill } from '@platform/testing/gateways';
import { useRunning } from '@platform/testing';
import { startCommerce, type Commerce } from '../../commerce.fixture';
import { duitkuSignature } from './duitku.fixture';
import { dokuSignature, dokuTimestamp } from '../../clients/doku.signature';

const DOKU = { client_id: 'MCH-0001', secret: 'test-secret' };
const XENDIT = { key: 'xnd_development_k', callback_token: 'token of xendit' };
const DUITKU = { merchant: 'DS12345', key: 'test-secret' };

export interface Sandboxed extends Commerce {
  readonly a: RunningTill;
  readonly b: RunningTill;
  readonly c: RunningTill;
  /** With which another process is the same service. */
  readonly env: Readonly<Record<string, string>>;
}

/** The service on the sandboxes of all three providers. Other processes run on the real clock, so that this one stands at now. */
export const useSandboxes = (more: Readonly<Record<string, string>> = {}): Sandboxed =>
  useRunning(async () => {
    const a = await startDokuSandbox({ port: 0, accounts: [DOKU] });
    const b = await startXenditSandbox({ port: 0, accounts: [XENDIT] });
    const c = await startDuitkuSandbox({ port: 0, accounts: [DUITKU] });
    // Nobody is there: these tests bring the notices themselves
    const publicUrl = 'http://127.0.0.1:1';
    const env = {
      ...{
        PAY_A_BASE_URL: a.url,
        PAY_A_CLIENT_ID: DOKU.client_id,
        PAY_A_SECRET: DOKU.secret,
        PAY_A_PUBLIC_URL: publicUrl,
      },
      ...{
        PAY_B_BASE_URL: b.url,
        PAY_B_KEY: XENDIT.key,
        PAY_B_CALLBACK_TOKEN: XENDIT.callback_token,
        PAY_B_CONFIRM: 'true',
      },
      ...{ PAY_C_BASE_URL: c.url, PAY_C_MERCHANT: DUITKU.merchant, PAY_C_KEY: DUITKU.key, PAY_C_PUBLIC_URL: publicUrl },
      ...{ PAY_LINK_SECRET: 'a secret of links that is long', ...more },
    };
    const commerce = await startCommerce(env, new Date().toISOString());
    const stop = async () => {
      await commerce.stop();
      await Promise.all([a.close(), b.close(), c.close()]);
    };
    return { ...commerce, a, b, c, env, stop };
  });

/** A notice of DOKU as it goes over the wire. */
export const dokuNotice = (path: string, number: string, amount: unknown, status = 'SUCCESS') => {
  const [requestId, timestamp] = [`req-${number}-${status}`, dokuTimestamp(new Date())];
  const transaction = { status, date: timestamp, original_request_id: requestId };
  const raw = JSON.stringify({ order: { invoice_number: number, amount }, transaction });
  const signed = { clientId: DOKU.client_id, requestId, timestamp, target: path, body: raw };
  const headers: Record<string, string> = {
    ...{ 'content-type': 'application/json', 'Client-Id': DOKU.client_id, 'Request-Id': requestId },
    ...{ 'Request-Timestamp': timestamp, Signature: dokuSignature(signed, DOKU.secret) },
  };
  return { headers, raw };
};

export const xenditNotice = (number: string, amount: unknown, status = 'PAID', id = `inv-${number}`) => ({
  headers: { 'content-type': 'application/json', 'x-callback-token': XENDIT.callback_token } as Record<string, string>,
  raw: JSON.stringify({ id, external_id: number, status, amount, paid_amount: amount, currency: 'IDR', user_id: 'u' }),
});

export const duitkuNotice = (number: string, amount: unknown, resultCode = '00') => {
  const fields = {
    ...{ merchantCode: DUITKU.merchant, amount: String(amount), merchantOrderId: number, resultCode, reference: 'D1' },
    signature: duitkuSignature(DUITKU.merchant, String(amount), number, DUITKU.key),
  };
  const headers: Record<string, string> = { 'content-type': 'application/x-www-form-urlencoded' };
  return { headers, raw: new URLSearchParams(fields).toString() };
};
