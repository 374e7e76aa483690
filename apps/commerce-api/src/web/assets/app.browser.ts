// What every page does with script: every job works without it.

/** The first thing to read after a form came back. */
const focusSummary = (): void => document.querySelector<HTMLElement>('.alert[autofocus]')?.focus();

/** A form is sent once, however fast somebody clicks; the server counts it once anyway. */
const sendOnce = (event: SubmitEvent): void => {
  const form = event.target as HTMLFormElement;
  if (form.dataset.sent === 'true') event.preventDefault();
  form.dataset.sent = 'true';
};

/** Whoever goes back finds the form as it was, ready to be sent again; after a sign-out nothing of the shop is shown from memory. */
const shownAgain = (event: PageTransitionEvent): void => {
  if (!event.persisted) return;
  for (const form of document.forms) delete form.dataset.sent;
};

document.addEventListener('submit', sendOnce);
window.addEventListener('pageshow', shownAgain);
document.addEventListener('DOMContentLoaded', focusSummary);
document.addEventListener('htmx:after:swap', focusSummary);
