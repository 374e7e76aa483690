import { Writable } from 'node:stream';
import winston from 'winston';
import { requestContext } from './context';
import { redactedJson } from './redaction';

export type Fields = Readonly<Record<string, unknown>>;

/**
 * Structured log: a fixed message and fields, and the ids of the request or the work that is running. Fields are redacted; messages
 * must not contain values.
 */
export interface Logger {
  debug(message: string, fields?: Fields): void;
  info(message: string, fields?: Fields): void;
  warn(message: string, fields?: Fields): void;
  error(message: string, fields?: Fields): void;
  child(fields: Fields): Logger;
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

export interface LoggerOptions {
  service: string;
  level?: LogLevel;
  /** Where the lines go; standard output by default. */
  write?: (line: string) => void;
}

const RANK = { debug: 0, info: 1, warn: 2, error: 3, silent: 4 } as const;

const MESSAGE = Symbol.for('message') as unknown as string;

/** Our lines are already text when winston gets them. */
const asItIs = winston.format((info) => {
  info[MESSAGE] = info.message;
  return info;
});

interface Sink {
  /** `urgent`: this line and those before it must be written before anything else happens. */
  add(line: string, urgent: boolean): void;
}

const sinkTo = (transports: winston.LoggerOptions['transports']): ((text: string) => void) => {
  const sink = winston.createLogger({ level: 'debug', format: asItIs(), transports });
  return (text) => void sink.log({ level: 'info', message: text });
};

const WAIT_MS = 20;
const WAIT_LENGTH = 32 * 1024;

/**
 * Lines are written together after 20 ms or 32 KB: winston's streams and the write cost several times what a line costs.
 * Warnings and errors are written at once, with the lines before them; so is everything when the process exits.
 */
const standardOutput = (): Sink => {
  const send = sinkTo(new winston.transports.Console());
  let waiting = '';
  const flush = (): void => {
    if (waiting) send(waiting);
    waiting = '';
  };
  process.once('exit', flush);
  return {
    add: (line, urgent) => {
      if (!waiting && !urgent) setTimeout(flush, WAIT_MS).unref();
      waiting = waiting ? `${waiting}\n${line}` : line;
      if (urgent || waiting.length > WAIT_LENGTH) flush();
    },
  };
};

/** One for all loggers of the process: lines keep their order, and there is one exit listener. */
let output: Sink | undefined;

const writingTo = (write: (line: string) => void): Sink => {
  const stream = new Writable({ write: (chunk: Buffer, _, done) => (write(chunk.toString().trimEnd()), done()) });
  const send = sinkTo(new winston.transports.Stream({ stream }));
  return { add: send };
};

let timedAt = 0;
let time = '';

/** Now, in ISO 8601; written once per millisecond. */
const timeText = (): string => {
  const now = Date.now();
  if (now !== timedAt) time = new Date((timedAt = now)).toISOString();
  return time;
};

/** JSON lines `{level,time,service,message,...fields}` through winston. A level that is off costs one comparison. */
export const createLogger = ({ service, level = 'info', write }: LoggerOptions): Logger => {
  const sink = write ? writingTo(write) : level === 'silent' ? undefined : (output ??= standardOutput());
  const bind = (bound: Fields): Logger => {
    const isBound = Object.keys(bound).length > 0;
    const log = (severity: 'debug' | 'info' | 'warn' | 'error') => (message: string, fields?: Fields) => {
      if (RANK[severity] < RANK[level]) return;
      const head = `{"level":"${severity}","time":"${timeText()}","service":"${service}","message":${JSON.stringify(message)}`;
      const context = requestContext();
      const own = fields && isBound ? { ...bound, ...fields } : (fields ?? bound);
      const rest = redactedJson(context ? { ...context, ...own } : own).slice(1);
      sink?.add(rest === '}' ? `${head}}` : `${head},${rest}`, RANK[severity] >= RANK.warn);
    };
    return {
      debug: log('debug'),
      info: log('info'),
      warn: log('warn'),
      error: log('error'),
      child: (more) => bind({ ...bound, ...more }),
    };
  };
  return bind({});
};

/** For tests and for tools that print for people. */
export const silentLogger: Logger = createLogger({ service: 'silent', level: 'silent' });
