import type { Capability } from './engine.types';

/** Somebody called what the capabilities exclude. */
export class EngineUnsupported extends Error {
  constructor(readonly capability: Capability) {
    super(`engine does not support ${capability}`);
  }
}

/** No line to WhatsApp at the moment: the message waits. */
export class EngineOffline extends Error {}

/**
 * Nobody knows whether WhatsApp took it, and a second send would be a second message: only engines that are not
 * `repeatable` throw it. A status of the send settles it, else it fails with NO_ACK after 60 s (design 3.3).
 */
export class EngineUncertain extends Error {}

/** WhatsApp did not take it now and may later: the chat waits that long, others go on. */
export class EngineBusy extends Error {
  constructor(
    readonly retryAfterMs: number,
    message: string,
  ) {
    super(message);
  }
}

/** WhatsApp will not take this message, now or later. */
export class EngineRefused extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** The file of a message can never be had: another try is of no use. */
export class EngineFileLost extends Error {}
