import { join } from 'node:path';
import { environment } from '@platform/runtime';
import { claim, refuseSecond, release } from './claim';
import { DEMO_CUSTOMER } from './demo-shop';
import { localUrl, SERVICES } from './ports';
import { SANDBOXES, sandboxUrl } from './sandboxes';
import { DOCS_PATHS } from './services';
import { Stack } from './stack';
import { removeStackFile } from './stack-file';
import type { Say } from './steps';
import { noteStop, onStopRequest, type StopRequested } from './stop-request';
import { dataFolder, shown } from './workspace';

const STOP_LIMIT_MS = 9_800;

const say: Say = (text) => void process.stdout.write(text);

/** The line to copy: a customer writes to the shop. */
export const exampleMessage = (gateway: string, to: string): string =>
  `curl -s ${gateway}/sim/messages -H 'content-type: application/json' -d '${JSON.stringify({ from: DEMO_CUSTOMER, to, text: 'Halo, sepatu larinya masih ada?' })}'`;

/** The line to copy: somebody signs in to their shop. */
const exampleLogin = (
  commerce: string,
  { email, password }: { readonly email: string; readonly password: string },
): string =>
  `curl -s ${commerce}/api/auth/login -H 'content-type: application/json' -d '${JSON.stringify({ email, password })}'`;

const welcome = ({ ports, shop, folder, steps }: Stack): string => {
  const { services } = ports;
  const addresses = [
    ...SERVICES.map((name) => [
      name,
      localUrl(services[name]),
      `docs ${localUrl(services[name])}${DOCS_PATHS[name] ?? '/docs'}`,
    ]),
    ...SANDBOXES.map(({ name }) => [`sandbox ${name}`, sandboxUrl(ports, name), '']),
  ];
  return [
    `\nReady after ${steps.elapsed()}. Ctrl-C stops everything and keeps the data; npm run reset deletes it.\n`,
    `The back office of ${shop.store.nama}, which has a past of ${shop.days} days, on a phone or a wide screen:`,
    `  ${localUrl(services['commerce-api'])}/login`,
    ...[shop.owner, ...shop.agents].map(
      ({ nama, email, password }, index) =>
        `  ${index === 0 ? 'owner' : 'agent'}  ${nama.padEnd(6)}${email}  ${password}`,
    ),
    `The shop that its buyers see:\n  ${localUrl(services['commerce-api'])}/s/${shop.store.slug}`,
    '',
    ...addresses.map(([name = '', url = '', docs = '']) => `  ${name.padEnd(21)}${url.padEnd(25)}${docs}`.trimEnd()),
    `  ${'logs'.padEnd(21)}${shown(folder)}/logs/<service>.log\n`,
    `The same people sign in to the services (POST ${localUrl(services['store-auth'])}/api/login), and to the shop's API:`,
    `  ${exampleLogin(localUrl(services['commerce-api']), shop.owner)}`,
    "\nSend a customer's message, in another terminal:",
    `  ${exampleMessage(localUrl(services['wa-gateway']), shop.device.nohp)}`,
    'See the whole conversation, a shop from its registration to a receipt, or ad money:\n  npm run demo\n  npm run demo -- shop\n  npm run demo -- ads\n',
  ].join('\n');
};

/** Ends the program once, however many signals arrive: npm and the terminal may both send theirs. */
const ender = (folder: string, stack: () => Stack | undefined) => {
  let ending = false;
  const end: StopRequested = (reason, code) => {
    if (ending) return;
    ending = true;
    removeStackFile(folder);
    setTimeout(() => process.exit(1), STOP_LIMIT_MS).unref();
    noteStop(folder, reason);
    say(`\nStopping (${reason}) ...`);
    void (stack()?.stop() ?? Promise.resolve())
      .catch((error: unknown) => ((code = 1), say(` ${String(error)}`)))
      .then(() => {
        release(join(folder, 'postgres'));
        say(' all processes have ended.\n');
        process.exit(code);
      });
  };
  return { end, isEnding: () => ending };
};

const main = async (): Promise<void> => {
  const folder = dataFolder(environment);
  const postgres = join(folder, 'postgres');
  refuseSecond(postgres, 'A stack', ', or start another one beside it: PORT_BASE=4000 npm start');
  let stack: Stack | undefined;
  const { end, isEnding } = ender(folder, () => stack);
  process.stdout.on('error', () => undefined); // the terminal may be gone before we are
  onStopRequest(end);
  try {
    stack = new Stack({ environment, say, gaveUp: () => end('a process ended too often', 1) });
    claim(postgres);
    removeStackFile(folder);
    await stack.start();
    say(welcome(stack));
  } catch (error) {
    if (isEnding()) return; // work in progress fails because it is being stopped
    say(`\n${error instanceof Error ? error.message : String(error)}\n`);
    end('the start failed', 1);
  }
};

main().catch((error: unknown) => {
  say(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
