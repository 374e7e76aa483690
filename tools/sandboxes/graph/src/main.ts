import { environment } from '@platform/runtime';
import { startGraphSandbox } from './server';
import { defaultNumber } from './wa/whatsapp.store';

const HELP = `The local stand-in for Meta's Graph API. It sends nothing to anybody.

  node -r ./tools/swc-hook.cjs tools/sandboxes/graph/src/main.ts [--help]

Settings (environment): PORT, 3101 unless given. It listens on 127.0.0.1 and refuses APP_ENV=production.
WhatsApp: phone_number_id ${defaultNumber.id}, token ${defaultNumber.token}. Control routes and faults are in its README.`;

const main = async (): Promise<void> => {
  if (process.argv.includes('--help')) return console.log(HELP);
  const sandbox = await startGraphSandbox({ port: Number(environment.PORT ?? 3101), appEnv: environment.APP_ENV });
  console.log(`SANDBOX Graph API on ${sandbox.url}\nThis is not Meta: nothing reaches a phone. --help says more.`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void sandbox.close());
};

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
