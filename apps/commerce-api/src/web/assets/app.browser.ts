// What every page does with script: every job works without it.

/** The first thing to read after a form came back. */
const focusSummary = (): void => document.querySelector<HTMLElement>('.alert[autofocus]')?.focus();

/** A form is sent once, however fast somebody clicks; the server counts it once anyway. */
const sendOnce = (event: SubmitEvent): void => {
  const form = event.target as HTMLFormElement;
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
  if (document.querySelector('form[action="/logout"]')) void askAgain().catch(() => undefined);
};

/** The box over a list ticks all of its page. */
const pickAll = ({ target }: Event): void => {
  const all = target as HTMLInputElement;
  if (!all.matches('[data-pick-all]')) return;
  for (const box of all.closest('table')?.querySelectorAll<HTMLInputElement>('input[name=ids]') ?? [])
    box.checked = all.checked;
};

document.addEventListener('change', pickAll);
document.addEventListener('submit', sendOnce);
window.addEventListener('pageshow', shownAgain);
document.addEventListener('DOMContentLoaded', focusSummary);
document.addEventListener('htmx:after:swap', focusSummary);
