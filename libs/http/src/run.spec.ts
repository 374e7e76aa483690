import { environment, untilNothingLacks, type Component } from '@platform/runtime';
import { until } from '@platform/testing';
import { seeding } from './command';
import { commonSettings, runProgram } from './run';
import { routeLines } from './routes';
import type { Service } from './service';
import { endpoints, fixtureService } from './service.fixture';

const EVENTS = ['SIGTERM', 'SIGINT', 'unhandledRejection'] as const;
/** Timers with which a program ends its process, kept away from the process that runs these tests. */
const LIMITS: readonly unknown[] = [200, 10_000];
const done: unknown[] = [];

interface Running {
  readonly printed: () => string;
  readonly errors: () => string;
  readonly logged: (message: string) => Record<string, unknown>[];
  readonly exits: readonly unknown[];
  readonly limits: readonly { readonly ms: unknown; readonly work: () => void }[];
}

/** A program in this process, which it takes for its own: its output and exit code are recorded. */
const running = async (
  { args = [], env = {}, more = {} }: { args?: string[]; env?: Record<string, string>; more?: Partial<Service> },
  look: (program: Running) => Promise<unknown>,
): Promise<void> => {
  const listeners = EVENTS.map((name) => process.listeners(name as 'SIGTERM'));
  const { argv, exitCode } = process;
  let [printed, errors] = ['', ''];
  const exits: unknown[] = [];
  const limits: { ms: unknown; work: () => void }[] = [];
  const later = setTimeout;
  const output = (console as unknown as { readonly _stdout: NodeJS.WriteStream })._stdout;
  const print = (chunk: unknown) => Boolean((printed += String(chunk)));
  const spies = [
    jest.spyOn(process, 'exit').mockImplementation(((code: unknown) => void exits.push(code)) as never),
    jest.spyOn(process.stdout, 'write').mockImplementation(print),
    jest.spyOn(output, 'write').mockImplementation(print),
    jest.spyOn(process.stderr, 'write').mockImplementation((chunk) => Boolean((errors += String(chunk)))),
    jest.spyOn(globalThis, 'setTimeout').mockImplementation(((work: () => void, ms: number, ...rest: unknown[]) => {
      if (!LIMITS.includes(ms)) return later(work, ms, ...rest);
      limits.push({ ms, work });
      return { unref: () => undefined };
    }) as never),
  ];
  const given: Record<string, string> = { HOST: '127.0.0.1', PORT: '0', ...env };
  try {
    EVENTS.forEach((name) => process.removeAllListeners(name));
    Object.assign(environment, given);
    process.argv = ['node', 'main', ...args];
    runProgram({
      name: 'fixture',
      settings: commonSettings(3000),
      create: () =>
        fixtureService({
          components: [{ name: 'database', stop: async () => void done.push('stopped') }],
          migrate: async () => void done.push('migrated'),
          commands: { seed: seeding(async (seeds) => void done.push(seeds)) },
          ...more,
        }),
    });
    const logged = (message: string) =>
      printed
        .split('\n')
        .filter((line) => line.startsWith('{"level"') && line.includes(`"message":"${message}"`))
        .map((line) => JSON.parse(line) as Record<string, unknown>);
    await look({ printed: () => printed, errors: () => errors, logged, exits, limits });
  } finally {
    spies.forEach((spy) => spy.mockRestore());
    EVENTS.forEach((name, at) => {
      process.removeAllListeners(name);
      listeners[at]?.forEach((listener) => process.on(name as 'SIGTERM', listener));
    });
    Object.assign(process, { argv, exitCode });
    for (const name of Object.keys(given)) delete environment[name];
  }
};
beforeEach(() => void done.splice(0));

const HELP = `  serve         answers over HTTP until it is stopped
  check         reads the settings and mounts every route, no more
  migrate       brings the database to the version of this build
  routes        prints every mounted route as service,METHOD,/path/{param},guard
  seed '<shop as JSON>'
                makes the shop that is given; what exists stays as it is
`;

describe('the command line of a service', () => {
  it.each(['help', '--help', '-h'])('with %s lists the commands, and does nothing else', (help) =>
    running({ args: [help] }, async ({ printed, exits }) => {
      await until(printed);
      expect([printed(), done, exits, process.exitCode]).toEqual([HELP, [], [], undefined]);
    }),
  );

  it('check reads the settings and listens nowhere', () =>
    running(
      { args: ['check'], env: { PORT: '3000', INTERNAL_PORT: '3001', METRICS_PORT: '3002' } },
      async ({ printed }) => {
        await until(() => done.length > 0);
        expect([printed(), done]).toEqual([
          `fixture: the settings are in order, ${endpoints.length} endpoints for port 3000, 3001, 3002\n`,
          ['stopped'],
        ]);
      },
    ));

  it.each([
    [{ direct: 14, pooled: 0 }, ', at most 14 connections to PostgreSQL'],
    [{ direct: 6, pooled: 13 }, ', at most 6 connections to PostgreSQL and 13 to its pooler'],
  ])('check says what the database must have room for: %j', (sessions, text) =>
    running({ args: ['check'], more: { components: [[{ name: 'database', sessions }]] } }, async ({ printed }) => {
      await until(() => printed().endsWith('\n'));
      expect(printed()).toBe(`fixture: the settings are in order, ${endpoints.length} endpoints for port 0${text}\n`);
    }),
  );

  it('check fails for a service that cannot keep what it declares', () =>
    running({ args: ['check'], more: { counter: undefined } }, async ({ logged }) => {
      await until(() => process.exitCode);
      expect(JSON.stringify(logged('failed'))).toContain('asks for a rate limit, but the service has no `counter`');
    }));

  it.each([
    [['seed', '{"a":1}', 'b'], [['{"a":1}', 'b'], 'stopped'], ''],
    [['migrate'], ['migrated', 'stopped'], ''],
    [['routes'], ['stopped'], `${routeLines(fixtureService()).join('\n')}\n`],
  ])('%j runs, and leaves no pool open', (args, expected, out) =>
    running({ args }, async ({ printed, exits }) => {
      await until(() => done.includes('stopped'));
      expect([printed(), done, exits]).toEqual([out, expected, []]);
    }),
  );

  it('migrate does nothing for a service without a database', () =>
    running({ args: ['help'], more: { migrate: undefined, commands: undefined } }, async ({ printed }) => {
      await until(printed);
      expect(printed()).toBe(HELP.split('\n').toSpliced(2, 1).slice(0, 3).join('\n').concat('\n'));
    }));

  it.each(['nope', 'constructor'])('an unknown command is answered with the known ones: %s', (name) =>
    running({ args: [name] }, async ({ logged, exits, limits }) => {
      await until(() => process.exitCode);
      const [line] = logged('failed');
      expect(line).toMatchObject({ level: 'error', service: 'fixture' });
      expect(JSON.stringify(line?.cause)).toContain(
        `unknown command \\"${name}\\": use one of\\n  serve         answers`,
      );
      expect([process.exitCode, done, exits]).toEqual([1, [], []]);
      limits.forEach(({ work }) => work());
      expect(exits).toEqual([1]);
    }),
  );

  it('a wrong configuration is reported as a whole, in readable text', () =>
    running({ env: { PORT: 'x', LOG_LEVEL: 'loud' } }, async ({ printed, errors, exits, limits }) => {
      await until(errors);
      expect([printed(), errors(), process.exitCode]).toEqual([
        '',
        'fixture: The configuration is not usable:\n  - PORT must be a port number\n  - LOG_LEVEL must be one of debug, info, warn, error, silent\n',
        1,
      ]);
      limits.forEach(({ work }) => work());
      expect(exits).toEqual([1]);
    }));
});

describe('a program that serves', () => {
  const ready = async ({ logged }: Running): Promise<string> => {
    const [line] = await until(
      () => logged('ready'),
      (lines) => lines.length > 0,
    );
    return String(line?.url);
  };

  it.each([
    ['development', null],
    ['production', 'max-age=31536000'],
  ])('serves until it is told to stop, and exits with 0: %s', (APP_ENV, hsts) =>
    running({ env: { APP_ENV } }, async (program) => {
      const answer = await fetch(`${await ready(program)}/ready`);
      expect([await answer.json(), answer.headers.get('strict-transport-security')]).toEqual([{ ready: true }, hsts]);
      process.emit('SIGTERM', 'SIGTERM');
      process.emit('SIGINT', 'SIGINT');
      await until(() => program.exits.length > 0);
      expect([program.exits, done]).toEqual([[0], ['stopped']]);
      await until(() => program.logged('stopped').length > 0);
      expect(program.logged('stopping')).toEqual([expect.objectContaining({ signal: 'SIGTERM' })]);
      program.limits.forEach(({ work }) => work());
      expect([program.limits.map(({ ms }) => ms), program.exits]).toEqual([expect.arrayContaining([10_000]), [0, 1]]);
    }),
  );

  it('leaves with 0 when it is told to stop while its start waits', () => {
    const database: Component = {
      name: 'database',
      start: async (starting) => void (await untilNothingLacks(async () => 'the schema is old', starting)),
    };
    return running({ more: { components: [database] } }, async (program) => {
      await until(() => program.logged('the start waits').length > 0);
      process.emit('SIGTERM', 'SIGTERM');
      await until(() => program.exits.length > 0);
      expect([program.exits, program.logged('ready')]).toEqual([[0], []]);
    });
  });

  it('leaves with 1 when something does not stop, and says what', () => {
    const stop = () => Promise.reject(new Error('stuck in a query'));
    return running({ args: ['serve'], more: { components: [{ name: 'database', stop }] } }, async (program) => {
      await ready(program);
      process.emit('SIGINT', 'SIGINT');
      await until(() => program.exits.length > 0);
      expect(program.exits).toEqual([1]);
      expect(JSON.stringify(program.logged('did not stop cleanly'))).toContain('stuck in a query');
    });
  });

  it('obeys its log level, and ends on an unhandled error', () =>
    running({ args: ['check'], env: { LOG_LEVEL: 'silent' } }, async ({ logged, limits }) => {
      await until(() => done.length > 0);
      process.emit('unhandledRejection', new Error('nobody looked'), Promise.resolve());
      expect(JSON.stringify(logged('failed'))).toContain('nobody looked');
      expect([process.exitCode, limits.map(({ ms }) => ms)]).toEqual([1, [200]]);
    }));
});
