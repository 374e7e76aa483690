import processConsole from 'node:console';
import type { Logger } from '@platform/runtime';
import type * as Baileys from 'baileys';
import { nativeImport } from './native-import';
import { readyToShare } from './shared-storage';

/** The client library. Its types are known here; the package itself may be missing, and is loaded when a device needs it. */
export type Library = typeof Baileys;
export type { BinaryNode, GroupMetadata, WAMessage, WASocket, proto } from 'baileys';

type LibraryLogger = NonNullable<Parameters<Library['makeWASocket']>[0]['logger']>;

/** Whether the optional package is there (design 5.1: the default image does not have it). */
export const isInstalled = (): boolean => {
  try {
    require.resolve('baileys');
    return true;
  } catch {
    return false;
  }
};

/**
 * libsignal hands whole session records, private keys included, to the console. From now on only the first argument of such
 * a line goes anywhere, and only when it is text.
 */
export const silenceConsole = (logger: Logger, target: Pick<Console, 'info' | 'warn' | 'error'>): void => {
  for (const level of ['info', 'warn', 'error'] as const)
    target[level] = (first: unknown) => {
      if (typeof first === 'string') logger.debug('a library wrote to the console', { line: first });
    };
};

let loading: Promise<Library> | undefined;

export interface LibraryOptions {
  readonly logger: Logger;
  /** Hex; trusted in place of WhatsApp's own root. A test server has one. */
  readonly rootKey?: string;
}

/** The library, loaded once, after the console is safe. Rejects when that is not possible now, or the package is missing. */
export const loadLibrary = ({ logger, rootKey }: LibraryOptions): Promise<Library> => {
  loading ??= (async () => {
    silenceConsole(logger, processConsole);
    await readyToShare();
    return (await nativeImport('baileys')) as Library;
  })().catch((cause: unknown) => {
    // The next device tries again: what was missing, memory or files, may be there by then
    loading = undefined;
    throw cause;
  });
  return loading.then((library) => {
    if (rootKey) library.WA_CERT_DETAILS.PUBLIC_KEY = Buffer.from(rootKey, 'hex');
    return library;
  });
};

/** Logs the text only: the library's other fields may hold keys and messages. */
export const libraryLogger = (logger: Logger): LibraryLogger => {
  const silent = (): void => undefined;
  const told = (fields: unknown, text?: string): void =>
    logger.debug('the client library reports', { text: text ?? (typeof fields === 'string' ? fields : '') });
  const adapter = { level: 'warn', trace: silent, debug: silent, info: silent, warn: told, error: told };
  return { ...adapter, child: () => libraryLogger(logger) };
};
