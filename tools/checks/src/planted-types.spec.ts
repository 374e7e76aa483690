import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { workspaceRoot } from './source-files';

const FILES = readdirSync(__dirname).filter((name) => name.endsWith('.mistakes.ts'));

const programOf = (files: readonly string[]): ts.Program => {
  const { config } = ts.readConfigFile(join(workspaceRoot, 'tsconfig.base.json'), (path) => ts.sys.readFile(path));
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, workspaceRoot);
  return ts.createProgram(files, { ...options, incremental: false });
};
/** One for all: each alone would parse the libraries again. What they import is checked with its own project. */
const program = programOf(FILES.map((name) => join(__dirname, name)));

/** The lines of the file that do not compile with the workspace's compiler options. */
const failingLines = (file: string): string[] =>
  ts.getPreEmitDiagnostics(program, program.getSourceFile(file)).map(({ file: at, start = 0, messageText }) => {
    if (at?.fileName !== file) return `${at?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
    return lines(file)[at.getLineAndCharacterOfPosition(start).line] ?? '';
  });

/** As `12: text`. */
const lines = (file: string): string[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .map((line, at) => `${at + 1}: ${line}`);

it.each(FILES)('the compiler refuses every mistake planted in %s and nothing else', (name) => {
  const file = join(__dirname, name);
  expect(program.getSourceFile(file)).toBeDefined(); // or everything would be checked
  const planted = lines(file).filter((line) => line.endsWith('// mistake'));
  expect(planted.length).toBeGreaterThan(9);
  expect([...new Set(failingLines(file))]).toEqual(planted);
});
