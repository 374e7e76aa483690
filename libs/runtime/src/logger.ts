import { Writable } from 'node:stream';
import winston from 'winston';
import { redact } from './redaction';

export type Fields = Readonly<Record<string, unknown>>;

/** Structured log: a fixed message and fields. Fields are redacted; messages must not contain values. */
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
  /** Where the lines go; standard output when left out. */
  write?: (line: string) => void;
}

const RANK = { debug: 0, info: 1, warn: 2, error: 3, silent: 4 } as const;

/** JSON lines `{level,time,service,message,...fields}` through winston. A level that is off costs one comparison. */
export const createLogger = ({ service, level = 'info', write }: LoggerOptions): Logger => {
  const line = winston.format((info) => {
    const { level: severity, message, fields } = info;
    info[Symbol.for('message') as unknown as string] = JSON.stringify({
      level: severity,
      time: new Date().toISOString(),
      service,
      message,
      ...(fields as object),
    });
    return info;
  });
  const transport = write
    ? new winston.transports.Stream({
        stream: new Writable({ write: (chunk: Buffer, _, done) => (write(chunk.toString().trimEnd()), done()) }),
      })
    : new winston.transports.Console();
  const sink = winston.createLogger({
    level: 'debug',
    format: line(),
    transports: [transport],
    silent: level === 'silent',
  });
  const bind = (bound: Fields): Logger => {
    const log = (severity: 'debug' | 'info' | 'warn' | 'error') => (message: string, fields?: Fields) => {
      if (RANK[severity] >= RANK[level])
        sink.log({ level: severity, message, fields: redact(fields ? { ...bound, ...fields } : bound) });
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
