import type { SecretBox } from '@platform/auth';
import type { Sql } from '@platform/data';
import { silentLogger } from '@platform/runtime';
import { AuthStore } from './auth.store';
import { loadLibrary } from './baileys.library';

export interface PaperLink {
  readonly database: Sql;
  readonly box: SecretBox;
  /** Of the sandbox, as is `link`: there the device with this noise key is linked, and this is its jid. */
  readonly rootKey: string;
  readonly link: (number: string, noiseKey: Uint8Array) => string | Promise<string>;
}

/** Links a device without a pairing, as if it had been linked long ago: hundreds take some seconds. */
export const linkOnPaper = async (
  { database, box, rootKey, link }: PaperLink,
  instanceId: string,
  number: string,
): Promise<void> => {
  const library = await loadLibrary({ logger: silentLogger, rootKey });
  const store = new AuthStore(instanceId, database, box, library);
  const creds = await store.creds();
  const me = { id: await link(number, creds.noiseKey.public), name: 'Toko' };
  const account = { details: Buffer.from('d'), accountSignature: Buffer.from('s') };
  await store.saveCreds({ ...creds, account, me });
};
