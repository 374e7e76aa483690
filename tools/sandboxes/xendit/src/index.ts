import { startTill, type RunningTill, type TillOptions } from '@platform/sandbox-till';
import { accountId, XenditProvider } from './xendit.provider';

export interface XenditOptions extends TillOptions {
  readonly accounts: readonly { readonly key: string; readonly callback_token: string }[];
  /** Where webhooks go: at Xendit a setting of the account. */
  readonly noticeUrl?: string | undefined;
}

/** Starts the local stand-in for Xendit. Rejects a taken port, and `appEnv` production. */
export const startXenditSandbox = ({ accounts, noticeUrl, ...options }: XenditOptions): Promise<RunningTill> =>
  startTill(options, (till) => {
    for (const account of accounts) till.admit(accountId(account.key), account);
    return new XenditProvider(till, noticeUrl ?? null);
  });
