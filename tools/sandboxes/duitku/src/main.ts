import { environment } from '@platform/runtime';
import { runTill } from '@platform/sandbox-till';
import { startDuitkuSandbox } from './index';

const HELP = `The local stand-in for Duitku. Nothing is charged.

  node -r ./tools/swc-hook.cjs tools/sandboxes/duitku/src/main.ts [--help]

Settings (environment): PORT (3105), PAY_C_MERCHANT and PAY_C_KEY (the merchant), SANDBOX_STATE (a file),
SANDBOX_MINUTE_MS (60000; 1000 makes minutes of the retry ladder seconds).
It listens on 127.0.0.1 and refuses APP_ENV=production. Pages and control routes are in tools/sandboxes/till/README.md.`;

const { PAY_C_MERCHANT: merchant = '', PAY_C_KEY: key = '' } = environment;
runTill('Duitku', { port: 3105, help: HELP }, (options) =>
  startDuitkuSandbox({ ...options, accounts: merchant && key ? [{ merchant, key }] : [] }),
);
