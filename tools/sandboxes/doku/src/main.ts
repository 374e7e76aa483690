import { environment } from '@platform/runtime';
import { runTill } from '@platform/sandbox-till';
import { startDokuSandbox } from './index';

const HELP = `The local stand-in for DOKU Checkout. Nothing is charged.

  node -r ./tools/swc-hook.cjs tools/sandboxes/doku/src/main.ts [--help]

Settings (environment): PORT (3103), PAY_A_CLIENT_ID and PAY_A_SECRET (the merchant), NOTICE_URL (where notices go that name no address),
SANDBOX_STATE (a file), SANDBOX_MINUTE_MS (60000; 1000 makes minutes of the retry ladder seconds).
It listens on 127.0.0.1 and refuses APP_ENV=production. Pages and control routes are in tools/sandboxes/till/README.md.`;

const { PAY_A_CLIENT_ID: client_id = '', PAY_A_SECRET: secret = '', NOTICE_URL } = environment;
const accounts = client_id && secret ? [{ client_id, secret }] : [];
runTill('DOKU', { port: 3103, help: HELP }, (options) =>
  startDokuSandbox({ ...options, accounts, noticeUrl: NOTICE_URL }),
);
