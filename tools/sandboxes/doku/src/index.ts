import { startTill, type RunningTill, type TillOptions } from '@platform/sandbox-till';
import { DokuProvider } from './doku.provider';

export interface DokuOptions extends TillOptions {
  readonly accounts: readonly { readonly client_id: string; readonly secret: string }[];
  /** Where notices of payments go that name no address of their own. */
  readonly noticeUrl?: string | undefined;
}

/** Starts the local stand-in for DOKU Checkout. Rejects a taken port, and `appEnv` production. */
export const startDokuSandbox = ({ accounts, noticeUrl, ...options }: DokuOptions): Promise<RunningTill> =>
  startTill(options, (till) => {
    for (const account of accounts) till.admit(account.client_id, account);
    return new DokuProvider(till, noticeUrl ?? null);
  });

export { signatureOf, timestampOf } from './signature';
