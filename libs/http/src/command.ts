import type { Command } from './command.types';
import { routeLines } from './routes';
import type { Service } from './service';

/** The `seed` command of a service: all are given the same shop, and each stores its part. */
export const seeding = (run: Command['run']): Command => ({
  summary: 'makes the shop that is given; what exists stays as it is',
  usage: "'<shop as JSON>'",
  run,
});

/** Every command of a service beside `serve`: those that all services have, then its own. */
export const commandsOf = (service: Service): Readonly<Record<string, Command>> => ({
  ...(service.migrate && {
    migrate: { summary: 'brings the database to the version of this build', run: service.migrate },
  }),
  routes: {
    summary: 'prints every mounted route as service,METHOD,/path/{param},guard',
    run: async () => void process.stdout.write(`${routeLines(service).join('\n')}\n`),
  },
  ...service.commands,
});

const WIDTH = 14;

/** One line for each command: its name, what follows it, and what it does. */
export const commandLines = (commands: Readonly<Record<string, Command>>): string[] =>
  Object.entries(commands).map(([name, { summary, usage }]) => {
    const call = usage ? `${name} ${usage}` : name;
    return call.length < WIDTH ? `  ${call.padEnd(WIDTH)}${summary}` : `  ${call}\n  ${' '.repeat(WIDTH)}${summary}`;
  });

/** The command of that name. Throws for an unknown one, listing the commands. */
export const commandNamed = (commands: Readonly<Record<string, Command>>, name: string): Command => {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command) return command;
  throw new Error(`unknown command "${name}": use one of\n${commandLines(commands).join('\n')}`);
};
