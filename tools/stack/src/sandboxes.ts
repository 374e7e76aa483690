import { join } from 'node:path';
import { localUrl, type Ports, type SandboxName } from './ports';
import type { Secrets } from './secrets';
import type { Environment } from './workspace';

/** What the sandboxes of one stack are configured from. */
export interface SandboxSurroundings {
  readonly ports: Ports;
  readonly secrets: Secrets;
  /** Folder for what they keep. */
  readonly folder: string;
  /** Environment of whoever started the stack. */
  readonly environment: Environment;
}

type Settings = Readonly<Record<string, string>>;

export interface Sandbox {
  readonly name: SandboxName;
  readonly script: string;
  /** Answers 200 when it can be used. */
  readonly readyPath: string;
  readonly settings?: (around: SandboxSurroundings) => Settings;
}

const commerce = ({ ports }: SandboxSurroundings, path: string): string =>
  `${localUrl(ports.services['commerce-api'])}${path}`;

/** What a payment provider knows of the platform's account there, by the names that commerce-api has for it. */
export const payAccounts = (secrets: Secrets): Readonly<Record<'doku' | 'xendit' | 'duitku', Settings>> => ({
  doku: { PAY_A_CLIENT_ID: secrets['pay_a client id'], PAY_A_SECRET: secrets['pay_a secret'] },
  xendit: { PAY_B_KEY: secrets['pay_b key'], PAY_B_CALLBACK_TOKEN: secrets['pay_b callback token'] },
  duitku: { PAY_C_MERCHANT: secrets['pay_c merchant'], PAY_C_KEY: secrets['pay_c key'] },
});

/** `notices`: where those go that name no address of their own, as it is registered with the provider. */
const till = (name: 'doku' | 'xendit' | 'duitku', notices: string): Sandbox => ({
  ...{ name, script: `tools/sandboxes/${name}/src/main.ts`, readyPath: '/__sandbox/payments' },
  settings: (around) => ({
    ...payAccounts(around.secrets)[name],
    NOTICE_URL: commerce(around, notices),
    SANDBOX_STATE: join(around.folder, 'sandboxes', `${name}.jsonl`),
  }),
});

/** The stand-ins for third parties that exist; a new one is a row here. */
export const SANDBOXES: readonly Sandbox[] = [
  {
    ...{ name: 'mail', script: 'tools/sandboxes/mail/src/main.ts', readyPath: '/__sandbox/messages' },
    settings: ({ ports }) => ({ SMTP_PORT: String(ports.smtp) }),
  },
  {
    ...{ name: 'graph', script: 'tools/sandboxes/graph/src/main.ts', readyPath: '/__sandbox/ads/accounts' },
    // As an app is set up at the real network: a token alone, without the app's secret, is refused
    settings: () => ({ REQUIRE_PROOF: 'true' }),
  },
  { name: 'push', script: 'tools/sandboxes/push/src/main.ts', readyPath: '/__sandbox/messages' },
  { name: 'llm', script: 'tools/sandboxes/llm/src/main.ts', readyPath: '/__sandbox/requests' },
  {
    ...{ name: 'rajaongkir', script: 'tools/sandboxes/rajaongkir/src/main.ts', readyPath: '/__sandbox/requests' },
    settings: ({ secrets }) => ({ SHIP_A_KEY: secrets['ship_a key'] }),
  },
  till('doku', '/api/pay_a/checkout-notification'),
  till('xendit', '/api/pay_b/webhook'),
  till('duitku', '/api/pay_c/callback'),
];

export const sandboxUrl = ({ sandboxes }: Ports, name: SandboxName): string => localUrl(sandboxes[name]);
