import type { Command } from '@platform/http';
import { Failure, InvalidInput } from '@platform/errors';
import { UsageError, type Operation } from './ops.types';

const FIRST = 'npm run -s command -- commerce-api ops';

const helpOf = (operations: readonly Operation[]): string =>
  [
    `Usage: ${FIRST} <what> <command> ... [--json]\n`,
    'What operators of the platform decide. Everything is written to the audit log of the store.\n',
    ...operations.map(({ name, usage, summary }) => `  ${`${name} ${usage}`.trim()}\n      ${summary}`),
    '\n  --json   Answers with one JSON line, for scripts.',
    '  --help   Shows this text; after <what>, its commands only.\n',
  ].join('\n');

const HELP: ReadonlySet<string> = new Set(['--help', '-h', 'help']);

/** The operation that the words begin with. Throws with the commands that there are. */
const operationIn = (operations: readonly Operation[], words: readonly string[]): Operation => {
  const [what = '', command] = words;
  const found = operations.find(({ name }) => name === `${what} ${command}`);
  if (found) return found;
  const near = operations.filter(({ name }) => name.startsWith(`${what} `));
  if (near.length === 0) throw new UsageError(`unknown command "${words.join(' ')}"`);
  const names = near.map(({ name }) => name).join(', ');
  throw new UsageError(
    command === undefined
      ? `${what} needs a command: ${names}`
      : `unknown command "${what} ${command}": use one of ${names}`,
  );
};

/** The whole of an unquoted reason counts. */
const argumentsOf = ({ name, usage, words: [least, most] }: Operation, given: readonly string[]): readonly string[] => {
  if (given.length < least) throw new UsageError(`${name} needs ${usage}`);
  if (given.length <= most) return given;
  throw new UsageError(`${name} takes ${usage}: put texts of several words in quotes`);
};

const told = async (operations: readonly Operation[], args: readonly string[]): Promise<string> => {
  const words = args.filter((word) => !word.startsWith('-'));
  const options = args.filter((word) => word.startsWith('-'));
  const [what] = words;
  if (args.length === 0 || HELP.has(what ?? '') || options.some((option) => HELP.has(option)))
    return helpOf(operations.filter(({ name }) => HELP.has(what ?? 'help') || name.startsWith(`${what} `)));
  const unknown = options.find((option) => option !== '--json');
  if (unknown !== undefined) throw new UsageError(`unknown option ${unknown}`);
  const operation = operationIn(operations, words);
  const { text, data } = await operation.run(argumentsOf(operation, words.slice(2)));
  return `${options.includes('--json') ? JSON.stringify(data) : text}\n`;
};

const sayingOf = (failure: Failure): string =>
  failure instanceof InvalidInput ? failure.violations.map(({ message }) => message).join('\n') : failure.message;

/** The command line of operators. Exits with 2 on wrong usage, with 1 on a refusal; nothing has happened then. */
export const opsCommand = (operations: readonly Operation[]): Command => ({
  summary: 'what operators decide: identity checks, withdrawals, payments in review, plans, stores; --help tells more',
  usage: '<what> <command> ...',
  run: async (args) => {
    try {
      process.stdout.write(await told(operations, args));
    } catch (failure) {
      if (failure instanceof UsageError) {
        process.stderr.write(`${failure.message}\nSee: ${FIRST} --help\n`);
        process.exitCode = 2;
      } else if (failure instanceof Failure) {
        process.stderr.write(`${sayingOf(failure)}\n`);
        process.exitCode = 1;
      } else throw failure;
    }
  },
});
