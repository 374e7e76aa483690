import { environment } from '@platform/runtime';
import { runTill } from '@platform/sandbox-till';
import { startXenditSandbox } from './index';

const HELP = `The local stand-in for Xendit: invoices, payouts, refunds. Nothing is charged, nothing is paid out.

  node -r ./tools/swc-hook.cjs tools/sandboxes/xendit/src/main.ts [--help]

Settings (environment): PORT (3104), PAY_B_KEY and PAY_B_CALLBACK_TOKEN (the merchant), NOTICE_URL (where webhooks go),
SANDBOX_STATE (a file), SANDBOX_MINUTE_MS (60000; 1000 makes minutes of the retry ladder seconds).
It listens on 127.0.0.1 and refuses APP_ENV=production. Pages and control routes are in tools/sandboxes/till/README.md.`;

const { PAY_B_KEY: key = '', PAY_B_CALLBACK_TOKEN: callback_token = '', NOTICE_URL } = environment;
const accounts = key && callback_token ? [{ key, callback_token }] : [];
runTill('Xendit', { port: 3104, help: HELP }, (options) =>
  startXenditSandbox({ ...options, accounts, noticeUrl: NOTICE_URL }),
);
