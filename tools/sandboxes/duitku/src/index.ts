import { startTill, type RunningTill, type TillOptions } from '@platform/sandbox-till';
import { DuitkuProvider } from './duitku.provider';

export interface DuitkuOptions extends TillOptions {
  readonly accounts: readonly { readonly merchant: string; readonly key: string }[];
}

/** Starts the local stand-in for Duitku. Rejects a taken port, and `appEnv` production. */
export const startDuitkuSandbox = ({ accounts, ...options }: DuitkuOptions): Promise<RunningTill> =>
  startTill(options, (till) => {
    for (const account of accounts) till.admit(account.merchant, account);
    return new DuitkuProvider(till);
  });
