// The inbox with script: the same HTML lives. Without it every part is a link or a form.
import { Attachment } from './inbox.files.browser';
import './inbox.keys.browser';
import { DRAFT, find, keep, keepDraft, kept, keyOf, live, root, unsentAt } from './inbox.kept.browser';
import { take, takeAway, takeHtml, toEnd } from './inbox.merge.browser';
import { newId, Outbox } from './inbox.outbox.browser';
import './inbox.zoom.browser';
import { unpressed } from './press.browser';

const form = document.querySelector<HTMLFormElement>('#composer');
const area = form?.querySelector('textarea');

const LONGEST_PAUSE_MS = 15_000;
const SHOWN_AFTER_MS = 2_500;
/** The server says something every 15 s; a line that is silent for longer is dead, as after a phone has slept. */
const DEAD_AFTER_MS = 40_000;
const READ_AFTER_MS = 1_000;

/** Whoever may not see it any more is told so by the page itself, unless they are writing: that stays before them, to be taken elsewhere. */
const shut = (): void => {
  if (area?.value.trim() || outbox?.isWaiting || attachment?.file) find('shut')?.removeAttribute('hidden');
  else location.reload();
};

/** The chat has another address: what is written goes along. What is on its way, and a file, is sent from here, where the chat is found as well. */
const follow = (to: string): void => {
  if (!area || attachment?.file || outbox?.isWaiting) return;
  keep(DRAFT, '');
  keep(keyOf('draft', new URL(to, location.href).pathname), area.value);
  location.replace(to);
};

/** The page as the server would show it now. */
const refresh = async (): Promise<void> => {
  const answer = await fetch(location.href, { redirect: 'manual', headers: { accept: 'text/html' } });
  // Signed out, or not theirs any more
  if (answer.type === 'opaqueredirect' || [403, 404].includes(answer.status)) return shut();
  if (!answer.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  await unpressed(() => takePage(page, 'rows'));
};
const takePage = (page: Document, ...more: readonly string[]): void => {
  take([...more, 'thread', 'band', 'anyway'].flatMap((id) => page.getElementById(id) ?? []));
  outbox?.settle();
  readSoon();
};
const outbox = form ? new Outbox(form, refresh) : undefined;

/** Events of the page, from its own address. It comes back by itself, and is told everything anew then. */
class Live {
  readonly #url: string;
  #source: EventSource | undefined;
  #tries = 0;
  #lostAt = 0;
  #heardAt = 0;

  constructor(url: string) {
    this.#url = url;
    setInterval(() => {
      if (Date.now() - this.#heardAt > DEAD_AFTER_MS) this.#connect();
    }, DEAD_AFTER_MS / 4);
    addEventListener('pageshow', ({ persisted }) => (persisted ? this.#connect() : undefined));
    // The network is back, or somebody has signed in again
    addEventListener('online', () => this.#connect());
    this.#connect();
  }

  #connect(): void {
    this.#heardAt = Date.now();
    this.#source?.close();
    const source = new EventSource(this.#url);
    this.#source = source;
    const on = (name: string, work: (data: Record<string, string>) => void): void =>
      source.addEventListener(name, ({ data }: MessageEvent<string>) => {
        void unpressed(() => {
          work(JSON.parse(data) as Record<string, string>);
          this.#told();
        });
      });
    on('html', ({ html = '' }) => takeHtml(html));
    on('gone', ({ id = '', version }) => takeAway(id, Number(version)));
    on('beat', () => undefined);
    on('moved', ({ to = '' }) => follow(to));
    source.onerror = () => this.#lost();
  }

  #told(): void {
    this.#tries = 0;
    this.#lostAt = 0;
    this.#heardAt = Date.now();
    for (const id of ['offline', 'shut']) find(id)?.setAttribute('hidden', '');
    outbox?.settle();
    readSoon();
  }

  #lost(): void {
    this.#source?.close();
    this.#lostAt ||= Date.now();
    this.#tries += 1;
    setTimeout(() => find('offline')?.toggleAttribute('hidden', this.#lostAt === 0), SHOWN_AFTER_MS);
    if (this.#tries > 1) void refresh().catch(() => undefined);
    setTimeout(() => this.#connect(), Math.min(LONGEST_PAUSE_MS, 500 * 2 ** this.#tries) * (0.5 + Math.random() / 2));
  }
}

/** Read is what somebody has had before their eyes: the last message, in a window that is in front, for a second. */
const isRead = (): boolean => {
  const last = [...document.querySelectorAll('#thread .bubble[data-seq]')].at(-1)?.getBoundingClientRect();
  const composer = form?.getBoundingClientRect();
  const isSeen = last !== undefined && composer !== undefined && last.top < composer.top && last.bottom > 0;
  const unread = Number(find('band')?.dataset.unread ?? 0);
  return unread > 0 && isSeen && document.visibilityState === 'visible' && document.hasFocus();
};
let reading: ReturnType<typeof setTimeout> | undefined;
const readSoon = (): void => {
  if (reading !== undefined || !form || !live || !isRead()) return;
  reading = setTimeout(() => {
    reading = undefined;
    if (isRead()) void markRead().catch(() => undefined);
  }, READ_AFTER_MS);
};
const markRead = async (): Promise<void> => {
  const _csrf = String(new FormData(form as HTMLFormElement).get('_csrf'));
  const band = find('band');
  if (band) band.dataset.unread = '0';
  const body = new URLSearchParams({ _csrf, action: 'read' });
  await fetch(`${location.pathname}/action`, { method: 'POST', body, redirect: 'manual' });
};

/** The quick replies, over the composer. */
const closeReplies = (): void => find('replies')?.remove();
const openReplies = async (): Promise<void> => {
  const link = form?.querySelector<HTMLAnchorElement>('[data-replies]');
  if (!link || !form || find('replies')) return;
  const answer = await fetch(link.href, { redirect: 'manual' });
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const replies = page.getElementById('replies');
  if (replies && !find('replies')) form.before(replies);
};
const choices = (): HTMLAnchorElement[] => [...document.querySelectorAll<HTMLAnchorElement>('#replies a[data-body]')];
const filterReplies = (words: string): void => {
  const wanted = words.slice(1).toLowerCase();
  for (const choice of choices()) {
    const item = choice.closest('li');
    if (item) item.hidden = !choice.textContent.toLowerCase().includes(wanted);
  }
};
const insert = (text: string): void => {
  if (!area || area.readOnly) return;
  area.value = area.value.startsWith('/') ? text : `${area.value}${text}`;
  closeReplies();
  keepDraft(area);
  area.focus();
};

/** The recorder comes when it is needed. It attaches what was recorded, and hears the button from then on. */
const later = (document.currentScript as HTMLScriptElement | null)?.dataset.later;
const readyToRecord = (): void => {
  const button = form?.querySelector<HTMLButtonElement>('[data-voice]');
  if (!button || later === undefined || !('MediaRecorder' in window) || !('mediaDevices' in navigator)) return;
  button.hidden = false;
  const fetchRecorder = (): void => {
    const script = document.createElement('script');
    script.src = later;
    script.onerror = () => button.addEventListener('click', fetchRecorder, { once: true });
    document.head.append(script);
  };
  button.addEventListener('click', fetchRecorder, { once: true });
};
const idInput = form?.querySelector<HTMLInputElement>('[name=message_id]');
/** The next thing that is written is another message. */
const empty = (): void => {
  if (!area || !idInput) return;
  idInput.value = newId();
  area.value = '';
  keepDraft(area);
  toEnd();
  area.focus();
};
const attachment =
  form && area
    ? new Attachment({
        ...{ form, area },
        arrived: (page) => {
          tried = undefined;
          takePage(page);
          empty();
        },
        // Another one when something else was sent under the one before
        refused: (page) => {
          const now = page.querySelector<HTMLInputElement>('#composer [name=message_id]')?.value;
          if (idInput && now) idInput.value = now;
        },
      })
    : undefined;
/** A file that was sent and is not known to have arrived, with its caption: the same again is that message, anything else another one. */
let tried: { readonly file: File | undefined; readonly text: string } | undefined;
/** The id of what is sent now. */
const idOf = (input: HTMLInputElement, file: File | undefined, text: string): string => {
  if (tried && (tried.file !== file || tried.text !== text)) input.value = newId();
  tried = file && { file, text };
  return input.value;
};
const submit = (event: Event): void => {
  event.preventDefault();
  event.stopImmediatePropagation();
  if (!area || area.readOnly || !idInput || !outbox) return;
  keepDraft(area);
  if (!form?.reportValidity()) return;
  const [file, text] = [attachment?.file, area.value.trim()];
  const id = idOf(idInput, file, text);
  if (file) return void attachment?.send(outbox.sent, () => outbox.hasFailed);
  if (text === '') return;
  outbox.add(text, id);
  empty();
};

/** Enter sends where there is a keyboard; on a phone it is a new line, and the button sends. */
const pressed = (event: KeyboardEvent): void => {
  if (event.key === 'Escape') closeReplies();
  if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
  const choice = area?.value.startsWith('/') ? choices().find((one) => one.closest('li')?.hidden === false) : undefined;
  if (!choice && !matchMedia('(pointer: fine)').matches) return;
  event.preventDefault();
  if (choice) insert(choice.dataset.body ?? '');
  else form?.requestSubmit();
};

const typed = (): void => {
  if (!area) return;
  keepDraft(area);
  if (area.value.startsWith('/')) void openReplies().then(() => filterReplies(area.value));
};

const clicked = (event: MouseEvent): void => {
  const target = event.target as HTMLElement;
  const reply = target.closest<HTMLElement>('#replies a[data-body]');
  if (!reply && !target.closest('[data-replies]')) return;
  event.preventDefault();
  if (reply) insert(reply.dataset.body ?? '');
  else if (find('replies')) closeReplies();
  else void openReplies();
};

/** Older messages, above those that are there; what is read stays where it is. */
const older = async (event: MouseEvent): Promise<void> => {
  const way = (event.target as HTMLElement).closest<HTMLElement>('.thread-way[data-before]');
  const thread = find('thread');
  const href = way?.querySelector('a')?.href;
  if (!way || !thread || href === undefined || !live) return;
  event.preventDefault();
  const page = new DOMParser().parseFromString(await (await fetch(href)).text(), 'text/html');
  // The sign-in, or what is wrong
  if (!page.getElementById('thread')) return location.assign(href);
  const from = thread.scrollHeight - thread.scrollTop;
  way.replaceWith(...page.querySelectorAll('.thread-way[data-before], #thread .bubble'));
  thread.scrollTop = thread.scrollHeight - from;
};

/** What waits to be sent again is no part of what is written now, as after a form that came back with both. */
const apart = (): void => {
  const waiting = idInput && outbox?.textOf(idInput.value);
  if (waiting === undefined || !idInput || !area) return;
  idInput.value = newId();
  if (area.value.trim() === waiting) area.value = '';
};

if (form && area) {
  form.addEventListener('submit', submit, { capture: true });
  area.addEventListener('keydown', pressed);
  area.addEventListener('input', typed);
  // Words that are copied from a document come with their picture
  area.addEventListener('paste', (event) => {
    const copied = event.clipboardData;
    if (!copied?.getData('text')) attachment?.take(event, copied?.files);
  });
  addEventListener('beforeunload', (event) => {
    if (attachment?.isBusy) event.preventDefault();
  });
  root?.addEventListener('dragover', (event) => event.preventDefault());
  root?.addEventListener('drop', (event) => attachment?.take(event, event.dataTransfer?.files));
  readyToRecord();
  document.addEventListener('click', clicked);
  document.addEventListener('click', (event) => void older(event).catch(() => undefined));
  find('fresh')?.addEventListener('click', toEnd);
  for (const name of ['focus', 'scroll', 'visibilitychange'] as const)
    addEventListener(name, readSoon, { capture: true, passive: true });
  outbox?.restore();
  apart();
  area.value ||= kept(DRAFT);
  if (!document.querySelector('.bubble:target')) toEnd();
}
const [other, unsent] = [unsentAt(), find('unsent') as HTMLAnchorElement | null];
if (other && unsent) {
  unsent.href = other;
  unsent.hidden = false;
}
if (live) new Live(live);
