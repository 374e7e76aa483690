// What was written and is not known to have arrived: shown at once, sent in order, once each by its id, and kept over a reload.

import { find, keep, kept, keyOf, takeProof } from './inbox.kept.browser';

interface Waiting {
  readonly id: string;
  readonly text: string;
  failed?: boolean;
}

const TRIES = 4;
const PAUSE_MS = 800;
/** An answer that leads on may lead to the sign-in: only the message itself proves that it was sent. */
const PROOF_MS = 4_000;

const KEY = keyOf('outbox');

/** A UUID of version 4; `crypto.randomUUID` is there over TLS only. */
export const newId = (): string => {
  const digits = [...crypto.getRandomValues(new Uint8Array(32))].map((byte) => (byte & 15).toString(16)).join('');
  return digits.replace(/(.{8})(.{4}).(.{3}).(.{3})(.{12})/, '$1-$2-4$3-8$4-$5');
};

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

const stored = (): Waiting[] => {
  const text = kept(KEY);
  return text === '' ? [] : (JSON.parse(text) as Waiting[]);
};

export class Outbox {
  #waiting: Waiting[] = [];
  /** Settles once nothing is on its way any more. */
  sent: Promise<void> = Promise.resolve();
  #isSending = false;

  readonly #form: HTMLFormElement;
  readonly #refresh: () => Promise<void>;

  /** `refresh` asks the server how things are. */
  constructor(form: HTMLFormElement, refresh: () => Promise<void>) {
    this.#form = form;
    this.#refresh = refresh;
  }

  get isWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  get hasFailed(): boolean {
    return this.#waiting.some(({ failed }) => failed);
  }

  /** What waits under this id. */
  textOf(id: string): string | undefined {
    return this.#waiting.find((one) => one.id === id)?.text;
  }

  /** What a reload found on its way: whether it arrived is not known, and sending it again under its id does no harm. */
  restore(): void {
    this.#waiting = stored().map((each) => ({ ...each, failed: true }));
    for (const each of this.#waiting) this.#show(each);
    this.settle();
  }

  add(text: string, id: string): void {
    const each = { id, text };
    this.#waiting.push(each);
    this.#show(each);
    this.#keep();
    this.#start();
  }

  /** Those whose own bubble is there have arrived: behind one that was taken for lost the others go on. */
  settle(): void {
    const before = this.#waiting;
    this.#waiting = before.filter(({ id }) => find(`m-${id}`)?.dataset.seq === undefined);
    this.#keep();
    if (before.some((each) => each.failed && !this.#waiting.includes(each))) this.#start();
  }

  #keep(): void {
    keep(KEY, JSON.stringify(this.#waiting));
  }

  #show({ id, text, failed }: Waiting): void {
    if (find(`m-${id}`)) return;
    const template = document.querySelector<HTMLTemplateElement>('#outgoing');
    const bubble = template?.content.firstElementChild?.cloneNode(true) as HTMLElement | undefined;
    if (!bubble) return;
    bubble.id = `m-${id}`;
    const words = bubble.querySelector('.bubble-text');
    if (words) words.textContent = text;
    bubble.addEventListener('click', ({ target }) => this.#pressed(id, target as HTMLElement));
    find('thread')?.append(bubble);
    this.#mark(id, failed ?? false);
  }

  #pressed(id: string, target: HTMLElement): void {
    const { way } = target.dataset;
    const each = this.#waiting.find((one) => one.id === id);
    if (!each || way === undefined) return;
    if (way === 'remove') {
      this.#waiting = this.#waiting.filter((one) => one !== each);
      find(`m-${id}`)?.remove();
      this.#keep();
    } else this.#mark(id, (each.failed = false));
    this.#start();
  }

  #mark(id: string, failed: boolean, why?: string): void {
    const bubble = find(`m-${id}`);
    if (!bubble || bubble.dataset.seq !== undefined) return;
    bubble.classList.toggle('bubble-failed', failed);
    for (const part of bubble.querySelectorAll('.bubble-error, .bubble-ways')) part.toggleAttribute('hidden', !failed);
    bubble.querySelector('.bubble-clock')?.toggleAttribute('hidden', failed);
    const words = bubble.querySelector('.bubble-error span');
    if (words && why) words.textContent = why;
  }

  /** One after the other: behind one that failed the others wait, so that none arrives before what was said before it. */
  #start(): void {
    if (!this.#isSending) this.sent = this.#pump();
  }

  async #pump(): Promise<void> {
    this.#isSending = true;
    const sent = new Set<string>();
    for (;;) {
      const next = this.#waiting.find(({ id }) => !sent.has(id));
      if (!next || next.failed) break;
      const why = await this.#send(next);
      if (why === undefined) sent.add(next.id);
      else this.#fail(next, why);
    }
    this.#isSending = false;
    if (sent.size > 0) setTimeout(() => void this.#prove(sent), PROOF_MS);
  }

  #fail(each: Waiting, why: string): void {
    each.failed = true;
    this.#mark(each.id, true, why);
    this.#keep();
  }

  /** Undefined when it was taken, else why not. */
  async #send({ id, text }: Waiting): Promise<string | undefined> {
    let isAnew = false;
    for (let tries = 0; tries < TRIES; tries += 1) {
      if (tries > 0) await pause(PAUSE_MS * 2 ** tries);
      const answer = await this.#post(id, text).catch(() => undefined);
      if (answer?.type === 'opaqueredirect') return undefined;
      if (answer && answer.status < 500 && answer.status !== 429) {
        const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
        // Once: whoever may not write here is told why
        isAnew = answer.status === 403 && !isAnew && takeProof(this.#form, page);
        if (isAnew) continue;
        return page.querySelector('.alert.bad')?.textContent ?? '';
      }
    }
    return '';
  }

  #post(id: string, text: string): Promise<Response> {
    const body = new URLSearchParams(new FormData(this.#form) as never);
    body.delete('file');
    body.set('message_id', id);
    body.set('text', text);
    // Whoever goes on at once has pressed Send before
    return fetch(this.#form.action, {
      method: 'POST',
      body,
      redirect: 'manual',
      keepalive: true,
      signal: AbortSignal.timeout(20_000),
    });
  }

  async #prove(sent: ReadonlySet<string>): Promise<void> {
    const open = () => this.#waiting.filter(({ id }) => sent.has(id));
    this.settle();
    if (open().length > 0) await this.#refresh().catch(() => undefined);
    this.settle();
    for (const each of open()) this.#fail(each, '');
  }
}
