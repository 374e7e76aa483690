import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import ts from 'typescript';

/** What a stranger writes who has nothing but the API description. */
export const STRANGER = `
import createClient from 'openapi-fetch';
import type { paths } from './api';

export const chatsOf = async (baseUrl: string, token: string, team: string) => {
  const client = createClient<paths>({ baseUrl, headers: { authorization: \`Bearer \${token}\` } });
  const { data, error, response } = await client.POST('/v1/chat_list', { body: { nohp: '-', instance: 'dev1', team } });
  if (error) return { status: response.status, refused: 'errors' in error ? error.errors.map(({ field }) => field) : error };
  if (data.result) return { names: data.data.map(({ nama }) => nama), ids: data.indexlist };
  return { refused: data.message, code: data.code };
};`;

const HERE = __dirname;
const OPTIONS: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.Preserve,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
  types: [],
};

/** Files that exist in memory only, beside this one, so that packages are found as from here. */
const hostOf = (files: ReadonlyMap<string, string>): ts.CompilerHost => {
  const host = ts.createCompilerHost(OPTIONS);
  const { getSourceFile, fileExists, readFile } = host;
  return {
    ...host,
    fileExists: (name) => files.has(name) || fileExists(name),
    readFile: (name) => files.get(name) ?? readFile(name),
    getSourceFile: (name, version, ...more) => {
      const text = files.get(name);
      return text === undefined
        ? getSourceFile(name, version, ...more)
        : ts.createSourceFile(name, text, ts.ScriptTarget.ES2022);
    },
  };
};

/** The types that openapi-typescript makes of a document. A process of its own: it is an ES module, which jest does not load. */
export const generatedTypes = (document: object): string => {
  const folder = mkdtempSync(join(tmpdir(), 'api-types-'));
  const file = join(folder, 'api.json');
  writeFileSync(file, JSON.stringify(document));
  try {
    const generator = join(dirname(require.resolve('openapi-typescript')), '../bin/cli.js');
    execFileSync(process.execPath, [generator, file, '--output', join(folder, 'api.d.ts')], {
      timeout: 60_000,
      stdio: 'pipe',
    });
    return readFileSync(join(folder, 'api.d.ts'), 'utf8');
  } finally {
    rmSync(folder, { recursive: true });
  }
};

/** What the compiler has against a program that stands on generated types: the texts of its errors. */
export const compileErrors = (types: string, program: string): string[] => {
  const [api, main] = [join(HERE, 'api.d.ts'), join(HERE, 'stranger.ts')];
  const files = new Map([
    [api, types],
    [main, program],
  ]);
  const diagnostics = ts.getPreEmitDiagnostics(ts.createProgram([main], OPTIONS, hostOf(files)));
  return diagnostics.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
};

/** Runs it: what it exports. */
export const run = <Exports>(program: string): Exports => {
  const { outputText } = ts.transpileModule(program, {
    compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022, esModuleInterop: true },
  });
  const exported = {};
  new Function('exports', 'require', outputText)(exported, require);
  return exported as Exports;
};
