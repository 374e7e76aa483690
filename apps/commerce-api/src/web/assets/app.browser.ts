// What every page does with script: every job works without it.
import { follow } from './follow.browser';

/** The first thing to read after a form came back. */
const focusSummary = (): void => document.querySelector<HTMLElement>('.alert[autofocus]')?.focus();

/** A form is sent once, however fast somebody clicks; the server counts it once anyway. One that only asks may answer with a file: its page stays. */
const sendOnce = (event: SubmitEvent): void => {
  const form = event.target as HTMLFormElement;
  if (form.getAttribute('method') !== 'post') return;
  if (form.dataset.sent === 'true') event.preventDefault();
  form.dataset.sent = 'true';
};

/** A page that the browser has kept is shown again to nobody but who is still signed in. */
const askAgain = async (): Promise<void> => {
  const { type } = await fetch(location.href, { redirect: 'manual' });
  if (type === 'opaqueredirect') location.reload();
};

/** Whoever goes back finds the form as it was, ready to be sent again. */
const shownAgain = (event: PageTransitionEvent): void => {
  if (!event.persisted) return;
  for (const form of document.forms) delete form.dataset.sent;
  for (const key of document.querySelectorAll<HTMLInputElement>(KEYS)) key.dataset.again = 'true';
  if (document.querySelector('form[action="/logout"]')) void askAgain().catch(() => undefined);
};

const KEYS = 'input[name=_idem]';

/** Whoever goes back to a form gets what they had typed, and the keys of then: sent again as it was it counts as the one that was sent. */
const sameKeys = (): void => {
  const inputs = [...document.querySelectorAll<HTMLInputElement>(KEYS)];
  const { keys } = (history.state ?? {}) as { keys?: readonly string[] };
  if (keys?.length !== inputs.length)
    return history.replaceState({ ...history.state, keys: inputs.map(({ value }) => value) }, '');
  inputs.forEach((input, at) => {
    input.value = keys[at] ?? input.value;
    input.dataset.again = 'true';
  });
};

/** With something else in it, it is another form. */
const otherKey = ({ target }: Event): void => {
  const key = (target as HTMLInputElement).form?.querySelector<HTMLInputElement>(`${KEYS}[data-again]`);
  if (!key) return;
  key.value += `.${Date.now()}`;
  delete key.dataset.again;
};

/** The box over a list ticks all of its page. */
const pickAll = ({ target }: Event): void => {
  const all = target as HTMLInputElement;
  if (!all.matches('[data-pick-all]')) return;
  for (const box of all.closest('table')?.querySelectorAll<HTMLInputElement>('input[name=ids]') ?? [])
    box.checked = all.checked;
};

/** What a text will look like stands beside it while it is typed. */
const mirror = ({ target }: Event): void => {
  const { id, value } = target as HTMLTextAreaElement;
  const shown = id === '' ? null : document.querySelector(`[data-mirrors="${CSS.escape(id)}"]`);
  if (shown) shown.textContent = value;
};

const printPage = ({ target }: Event): void => {
  if ((target as Element).closest('[data-print]')) window.print();
};

/** What is typed elsewhere, such as the number of an account, is copied by a tap. */
const copyText = async ({ target }: Event): Promise<void> => {
  const button = (target as Element).closest<HTMLElement>('[data-copy]');
  if (!button) return;
  await navigator.clipboard.writeText(button.dataset.copy ?? '');
  button.textContent = button.dataset.done ?? '';
};
const showCopying = (): void => {
  if (!('clipboard' in navigator)) return;
  for (const button of document.querySelectorAll<HTMLElement>('[data-copy]')) button.hidden = false;
};

// What only script can do is shown where there is some
document.documentElement.classList.add('scripted');
document.addEventListener('click', printPage);
document.addEventListener('click', (event) => void copyText(event).catch(() => undefined));
document.addEventListener('DOMContentLoaded', showCopying);
document.addEventListener('change', pickAll);
document.addEventListener('submit', sendOnce);
window.addEventListener('pageshow', shownAgain);
document.addEventListener('DOMContentLoaded', focusSummary);
document.addEventListener('DOMContentLoaded', sameKeys);
document.addEventListener('DOMContentLoaded', follow);
document.addEventListener('input', otherKey);
document.addEventListener('input', mirror);
document.addEventListener('htmx:after:swap', focusSummary);
