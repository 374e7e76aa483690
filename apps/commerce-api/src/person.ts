import { isbot } from 'isbot';

/** Whether a person seems to ask: a program names itself, or names nothing. */
export const isPerson = (userAgent: string | undefined): boolean =>
  userAgent !== undefined && userAgent.trim() !== '' && !isbot(userAgent);
