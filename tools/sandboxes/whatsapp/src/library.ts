import type * as baileys from 'baileys';
import type { BinaryNode } from 'baileys';

export type Library = typeof baileys;
export type { BinaryNode };

type Import = (specifier: string) => Promise<unknown>;

/** jest cannot import ES modules itself; its environment provides Node's import (tools/jest/native-import.environment.cjs). */
const nativeImport: Import =
  (globalThis as { nativeImport?: Import }).nativeImport ?? ((specifier) => import(specifier));

/** Lines that libsignal prints, with whole session records and private keys among the arguments. */
const SIGNAL_LINES =
  /^(Closing |Opening |Session |Removing old |Migrating session|Failed to decrypt message|Decrypted message with closed)/;

/** The library writes to the console of the process, which under jest is not the one of a spec. */
const silenceSignal = async (): Promise<void> => {
  const { default: console } = (await nativeImport('node:console')) as { default: Console };
  for (const level of ['info', 'warn', 'error'] as const) {
    const write = console[level].bind(console);
    console[level] = (...line: unknown[]) => {
      if (!SIGNAL_LINES.test(String(line[0]))) write(...line);
    };
  }
};

const load = async (): Promise<Library> => {
  await silenceSignal();
  try {
    return (await nativeImport('baileys')) as Library;
  } catch (cause) {
    throw new Error('The WhatsApp sandbox needs the package baileys: run npm install without omitting anything.', {
      cause,
    });
  }
};

let loading: Promise<Library> | undefined;

/** The unmodified client library, whose codec, protobuf and curve functions the server side uses too. */
export const loadLibrary = (): Promise<Library> => {
  loading ??= load();
  return loading;
};
