// Starts a bundle from its code cache. Node alone, because it runs before everything else and in containers.
import { closeSync, fstatSync, openSync, readSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { constants, Script } from 'node:vm';
import { crc32 } from 'node:zlib';
import { readableStacks } from './stack-traces';

/** The files of a bundle besides `main.cjs`, which starts it. */
export const FILES = { code: 'app.cjs', cache: 'app.cache', lines: 'app.lines' } as const;

/**
 * The one place for V8's flags but for the sizes of the heap (`../heap.ts`), for containers, Kubernetes and `npm start` alike. A code
 * cache is good only under the flags it was made with; V8 counts the size of old space among them, which the heap was made by
 * already and nobody reads again, so the flag is put back: whoever gives a process more or less memory keeps its fast start.
 * The heap grows in small steps while a process starts, and stays small as long as nothing happens; under load the same flag
 * would cost a quarter more CPU per request, so it is taken back (ADR 0030). WebAssembly is not optimized: the one there is reads the
 * answers of peers, and to optimize its one large function takes 36 MB at the first of them (ADR 0200).
 */
const ALWAYS = ['--max-old-space-size=0', '--no-wasm-tier-up', '--no-wasm-dynamic-tiering'];
const WHILE_STARTING = '--optimize-for-size';
const AFTERWARDS = '--no-optimize-for-size';
const STARTED_AFTER_MS = 3_000;

export const setFlags = (): void => {
  for (const flag of [...ALWAYS, WHILE_STARTING]) setFlagsFromString(flag);
  setTimeout(() => setFlagsFromString(AFTERWARDS), STARTED_AFTER_MS).unref();
};

type Module = (exports: object, require: NodeRequire, module: object, filename: string, directory: string) => void;

/** What a file holds. It goes with `release`: the next collection of all garbage may be hours away in a service with little to do. */
interface Held {
  readonly bytes: Buffer;
  release(): void;
}

/** Node 20 has it already, TypeScript's libraries for it not. */
const Resizable = ArrayBuffer as unknown as new (
  size: number,
  most: { readonly maxByteLength: number },
) => ArrayBuffer & { resize(size: number): void };

const held = (path: string): Held => {
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    const memory = new Resizable(size, { maxByteLength: size });
    const bytes = Buffer.from(memory, 0, size);
    for (let [at, read] = [0, -1]; at < size && read !== 0; at += read)
      read = readSync(file, bytes, { offset: at, length: size - at });
    return { bytes, release: () => memory.resize(0) };
  } finally {
    closeSync(file);
  }
};

/** Header of a cache: digests of its source and of itself. V8 checks neither, and would run corrupt data. */
const HEADER_BYTES = 8;

const sealed = (code: Buffer, data: Buffer): Buffer => {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt32LE(crc32(code), 0);
  header.writeUInt32LE(crc32(data), 4);
  return Buffer.concat([header, data]);
};

/** The cache's data, or why there is none. */
const unsealed = (code: Buffer, cache: Buffer): Buffer | string => {
  const data = cache.subarray(HEADER_BYTES);
  if (cache.length < HEADER_BYTES || cache.readUInt32LE(4) !== crc32(data)) return 'it is damaged';
  return cache.readUInt32LE(0) === crc32(code) ? data : 'it was made for other code';
};

const heldCache = (path: string): Held | string => {
  try {
    return held(path);
  } catch (error) {
    return (error as Error).message;
  }
};

const nameOf = (directory: string): string =>
  (createRequire(join(directory, 'x'))('./package.json') as { name: string }).name;

/** One line in the usual log format; the service has no logger yet. */
const warn = (directory: string, reason: string): void => {
  const fields = { level: 'warn', time: new Date().toISOString(), service: nameOf(directory) };
  const message = 'the code cache is not used: the start takes longer';
  process.stderr.write(`${JSON.stringify({ ...fields, message, reason })}\n`);
};

const compile = (code: Buffer, filename: string, cachedData?: Buffer): Script =>
  new Script(code.toString('latin1'), {
    filename,
    cachedData,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });

const run = (script: Script, directory: string, filename: string): void => {
  const module = { exports: {}, filename };
  (script.runInThisContext() as Module)(module.exports, createRequire(filename), module, filename, directory);
};

/** What every service loads of Node itself; the global is undici, to which our client's copy of it refers. */
const OF_NODE = ['http2', 'https', 'cluster', 'worker_threads', 'perf_hooks', 'zlib', 'dns/promises', 'fs/promises'];

/** Node brings these compiled under its own flags; once ours are set, they would be compiled anew. */
const loadNode = (): void => {
  for (const name of OF_NODE) process.getBuiltinModule(name);
  void globalThis.Headers;
};

const prepare = (directory: string): { filename: string; code: Held } => {
  loadNode();
  setFlags();
  const filename = join(directory, FILES.code);
  readableStacks(filename, join(directory, FILES.lines));
  return { filename, code: held(filename) };
};

/**
 * Runs the bundle in `directory`. Without a code cache that fits this Node and this code it starts all the same and says why
 * in one line. Throws what the bundle throws.
 */
export const runBundle = (directory: string): void => {
  const { filename, code } = prepare(directory);
  const file = heldCache(join(directory, FILES.cache));
  const cache = typeof file === 'string' ? file : unsealed(code.bytes, file.bytes);
  const script = compile(code.bytes, filename, typeof cache === 'string' ? undefined : cache);
  for (const read of [code, file]) if (typeof read !== 'string') read.release();
  if (typeof cache === 'string') warn(directory, cache);
  else if (script.cachedDataRejected)
    warn(directory, `it was made by another Node than ${process.version}, or for other flags`);
  run(script, directory, filename);
};

/** Atomic: a reader sees no partial file, even when two record at once. */
const keep = (path: string, cache: Buffer): void => {
  const fresh = `${path}.${process.pid}`;
  writeFileSync(fresh, cache);
  renameSync(fresh, path);
};

/**
 * Runs the bundle in `directory` and, when the process ends well, keeps what V8 has compiled until then as its code cache. V8 throws
 * away what has not run for some collections, first of all the outermost function, which runs once: without it a start would read all
 * of the code again.
 */
export const recordBundle = (directory: string): void => {
  const { filename, code } = prepare(directory);
  setFlagsFromString('--no-flush-bytecode');
  const script = compile(code.bytes, filename);
  process.once('exit', (exitCode) => {
    for (const flag of [WHILE_STARTING, '--flush-bytecode']) setFlagsFromString(flag); // the flags under which a start compiles
    if (exitCode === 0) keep(join(directory, FILES.cache), sealed(code.bytes, script.createCachedData()));
  });
  run(script, directory, filename);
};
