import { writeFileSync } from 'node:fs';
import { environment } from '@platform/runtime';
import { startWhatsAppSandbox } from './sandbox';
import type { WhatsAppSandbox } from './sandbox.types';

const HELP = `The local stand-in for WhatsApp. It sends nothing to anybody: unmodified clients of the library baileys pair with it and
talk to each other through it.

  node -r ./tools/swc-hook.cjs tools/sandboxes/whatsapp/src/main.ts [--help]
  node -r ./tools/swc-hook.cjs tools/sandboxes/whatsapp/src/phone.main.ts [--help]     a customer to talk to

Settings (environment): PORT, 3108 unless given, of the socket and the admin routes; MEDIA_PORT, 3109 unless given, of the
media host (https); CA_FILE, to which it writes the certificate of the media host, if given. It listens on 127.0.0.1 only
and refuses APP_ENV=production. Admin routes and faults are in its README.`;

const LOOPBACK = ['127.0.0.1', 'localhost'];

const banner = ({ url, socketUrl, rootKey, mediaHost }: WhatsAppSandbox, caFile: string | undefined): string =>
  `SANDBOX WhatsApp on ${url}
This is not WhatsApp: nothing reaches a phone. --help says more. For the gateway:
WA_ENGINE=baileys
WA_SOCKET_URL=${socketUrl}
WA_ROOT_KEY=${rootKey}
WA_MEDIA_HOST=${mediaHost}
WA_MEDIA_CA=${caFile ?? '(start with CA_FILE=… to have one)'}`;

const refuseReach = (): void => {
  const { APP_ENV, HOST } = environment;
  if (APP_ENV === 'production')
    throw new Error('The WhatsApp sandbox does not start with APP_ENV=production: devices linked to it reach nobody.');
  if (HOST !== undefined && !LOOPBACK.includes(HOST))
    throw new Error(
      `HOST=${HOST} is refused: the WhatsApp sandbox has no access control and listens on 127.0.0.1 only.`,
    );
};

const main = async (): Promise<void> => {
  if (process.argv.includes('--help')) return console.log(HELP);
  refuseReach();
  const { PORT, MEDIA_PORT, CA_FILE } = environment;
  const sandbox = await startWhatsAppSandbox({ port: Number(PORT ?? 3108), mediaPort: Number(MEDIA_PORT ?? 3109) });
  if (CA_FILE) writeFileSync(CA_FILE, sandbox.mediaCa);
  console.log(banner(sandbox, CA_FILE));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void sandbox.stop());
};

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
