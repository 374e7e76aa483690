import type { SecretBox } from '@platform/auth';
import { Kept } from '@platform/http';
import type { Clock } from '@platform/runtime';

/** Of a kept answer; it is never sent. */
const HEADER = 'Made-Secret';
/** Who clicks twice has sent twice by then; later it is somebody who goes back to look. */
const SHOWN_MS = 60_000;

interface Made {
  readonly at: number;
  readonly shown: object;
}

/** Whose form has made it: the secret of their browser in their store, and the key of the form. */
export interface MadeBy {
  readonly secret: string;
  readonly key: string;
}

const purposeOf = ({ secret, key }: MadeBy): string => `made ${key} ${secret}`;

/**
 * What a form has made that is shown once, such as recovery codes, for the same form sent again a moment later: a browser without script
 * shows the answer to the second of two clicks. It lies sealed in the answer that is kept of the form, for the browser that sent it.
 */
export class MadeSecrets {
  constructor(private readonly parts: { readonly box: SecretBox; readonly clock: Clock }) {}

  /** The header by which the answer holds it. */
  sealed(by: MadeBy, shown: object): Readonly<Record<string, string>> {
    const { box, clock } = this.parts;
    const made: Made = { at: clock.now().getTime(), shown };
    return { [HEADER]: box.seal(JSON.stringify(made), purposeOf(by)) };
  }

  /** What the answer that was kept of a form holds; undefined: nothing, no more, or what was made in another browser. */
  of(answer: Kept<unknown>['answer'], by: MadeBy): object | undefined {
    const sealed = answer.headers[HEADER];
    const { at, shown } = (typeof sealed === 'string' && this.opened(sealed, by)) || { at: 0, shown: undefined };
    return this.parts.clock.now().getTime() - at < SHOWN_MS ? shown : undefined;
  }

  private opened(sealed: string, by: MadeBy): Made | undefined {
    try {
      return JSON.parse(this.parts.box.open(sealed, purposeOf(by))) as Made;
    } catch {
      return undefined;
    }
  }
}

/** As it is sent. */
export const withoutMade = ({ answer, value }: Kept<unknown>): Kept<unknown> => {
  const { [HEADER]: _, ...headers } = answer.headers;
  return new Kept({ ...answer, headers }, value);
};
