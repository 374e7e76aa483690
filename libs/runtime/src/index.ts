export { environment } from './environment';
export { fixedClock, systemClock, type Clock } from './clock';
export { startAll, stopAll, type Component } from './component';
export * from './config';
export { outgoingTraceparent, requestContext, runInContext, traceIdOf, type RequestContext } from './context';
export { randomHex, uuidv5, uuidv7 } from './ids';
export { createLogger, silentLogger, type Fields, type Logger, type LoggerOptions, type LogLevel } from './logger';
export { isSecretField, redact } from './redaction';
export { timeLimit } from './time-limit';
