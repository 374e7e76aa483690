import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { DemoShop } from './demo-shop';
import { DEMO_CUSTOMER } from './demo-shop';
import { localUrl, SERVICES, type Ports } from './ports';
import { SANDBOXES, sandboxUrl } from './sandboxes';
import { isAlive } from './process-table';
import type { KeyFiles } from './secrets';
import { shown, writePrivately } from './workspace';

interface SignIn {
  readonly email: string;
  readonly password: string;
}

/** Rows of the demo shop that a script begins with; null: whoever tries the shop has taken it away. */
export interface DemoPlaces {
  readonly warehouse_id: string | null;
  /** Where that stands, as couriers call it. */
  readonly area_id: string | null;
  /** To which money of the wallet goes. */
  readonly bank_account_id: string | null;
}

export const NO_PLACES: DemoPlaces = { warehouse_id: null, area_id: null, bank_account_id: null };

/** `.data/stack.json`, for scripts (architecture section 7): exists only while the stack is ready. */
export interface StackFile {
  readonly services: Readonly<Record<string, string>>;
  readonly sandboxes: Readonly<Record<string, string>>;
  readonly pids: Readonly<Record<string, number>>;
  readonly demo: {
    readonly store_id: string;
    readonly team: string;
    readonly instance: string;
    readonly owner: SignIn;
    readonly agents: readonly SignIn[];
    readonly customer: { readonly nohp: string };
    /** `/s/<slug>` is what buyers see. */
    readonly commerce: DemoPlaces & { readonly slug: string };
    /** A registered client application of ads-api; `credit_key_file` is commerce-api's key of payment credits. */
    readonly ads: {
      readonly client_key: string;
      readonly private_key_file: string;
      readonly public_key_file: string;
      readonly credit_key_file: string;
    };
  };
}

const signIn = ({ email, password }: SignIn): SignIn => ({ email, password });

export const describeStack = (
  ports: Ports,
  shop: DemoShop,
  { privateKeyFile, publicKeyFile, creditKeyFile }: KeyFiles,
  places: DemoPlaces = NO_PLACES,
): Omit<StackFile, 'pids'> => ({
  services: Object.fromEntries(SERVICES.map((name) => [name, localUrl(ports.services[name])])),
  sandboxes: Object.fromEntries(SANDBOXES.map(({ name }) => [name, sandboxUrl(ports, name)])),
  demo: {
    store_id: shop.store.store_id,
    team: shop.team.id,
    instance: shop.instance,
    owner: signIn(shop.owner),
    agents: shop.agents.map(signIn),
    customer: { nohp: DEMO_CUSTOMER },
    commerce: { slug: shop.store.slug, ...places },
    ads: {
      client_key: shop.ads.client_key,
      private_key_file: privateKeyFile,
      public_key_file: publicKeyFile,
      credit_key_file: creditKeyFile,
    },
  },
});

const pathIn = (folder: string): string => join(folder, 'stack.json');

export const writeStackFile = (folder: string, stack: StackFile): void =>
  writePrivately(pathIn(folder), `${JSON.stringify(stack, null, 2)}\n`);

export const removeStackFile = (folder: string): void => rmSync(pathIn(folder), { force: true });

/** The file of a ready stack; undefined when none is ready. */
export const readStackFile = (folder: string): StackFile | undefined =>
  existsSync(pathIn(folder)) ? (JSON.parse(readFileSync(pathIn(folder), 'utf8')) as StackFile) : undefined;

/** The file of the ready stack. Throws with what to do when none is ready, or it has been killed. */
export const requireStackFile = (folder: string): StackFile => {
  const stack = readStackFile(folder);
  if (stack && isAlive(stack.pids.stack ?? -1)) return stack;
  throw new Error(
    `No stack is ready in ${shown(folder)}. Run npm start in another terminal, wait for its addresses, and try again (the same PORT_BASE and DATA_DIR, if you set them).`,
  );
};
