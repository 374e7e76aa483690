import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { workspaceRoot } from './workspace';

jest.setTimeout(60_000);

const readme = readFileSync(join(workspaceRoot, 'README.md'), 'utf8');
const [, place = '', snippet = ''] = /<!-- snippet: (\S+) .*?-->\s*```ts\n(.*?)```/s.exec(readme) ?? [];

/** What the compiler says of a file that is not on the disk, in the place where it would be. */
const compile = (text: string): string[] => {
  const file = join(workspaceRoot, place);
  const app = join(workspaceRoot, place.split('/src/')[0] ?? '', 'tsconfig.json');
  const parsed = ts.getParsedCommandLineOfConfigFile(
    app,
    { incremental: false, types: ['node'] },
    {
      ...ts.sys,
      onUnRecoverableConfigFileDiagnostic: () => undefined,
    },
  );
  const options = parsed?.options ?? {};
  const host = ts.createCompilerHost(options);
  const { readFile, fileExists, getSourceFile } = host;
  host.fileExists = (path) => path === file || fileExists(path);
  host.readFile = (path) => (path === file ? text : readFile(path));
  host.getSourceFile = (path, target, ...rest) =>
    path === file ? ts.createSourceFile(path, text, target) : getSourceFile(path, target, ...rest);
  const program = ts.createProgram([file], options, host);
  return ts
    .getPreEmitDiagnostics(program, program.getSourceFile(file))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
};

it('the endpoint of the README compiles where it says it belongs', () => {
  expect(place).toBe('apps/chat-backend/src/features/greeting/greeting.endpoints.ts');
  expect(compile(snippet)).toEqual([]);
});

it('a wrong field in it does not compile, as the README promises', () => {
  expect(compile(snippet.replace('body.nama', 'body.name'))).toEqual([
    "Property 'name' does not exist on type 'Greeting'.",
  ]);
});
