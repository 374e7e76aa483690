// Forms with a file: how far they have come is shown, and they can be stopped. Without this script they are sent as all others.
import { upload } from './upload.browser';

interface Box extends HTMLElement {
  request?: XMLHttpRequest;
}

declare const htmx: { process(element: Element): void } | undefined;

/** The answer takes the place of the page: it says what was done, or what is wrong, with all that was typed. */
const shown = (request: XMLHttpRequest): void => {
  const { body, title } = new DOMParser().parseFromString(request.responseText, 'text/html');
  history.replaceState({}, '', request.responseURL);
  document.title = title;
  document.body.replaceWith(body);
  if (typeof htmx !== 'undefined') htmx.process(document.body);
  document.querySelector<HTMLElement>('.alert[autofocus]')?.focus();
};

/** Unless something is said it is on its way. */
const said = (box: Box, text?: string): void => {
  const [status, ...parts] = ['p', 'progress', 'b', 'button'].map((name) => box.querySelector<HTMLElement>(name));
  if (status) status.textContent = text ?? parts[0]?.ariaLabel ?? '';
  for (const part of parts) if (part) part.hidden = text !== undefined;
  box.hidden = false;
};

const fileOf = (form: HTMLFormElement): File | undefined =>
  form.querySelector<HTMLInputElement>('input[type=file]')?.files?.[0];

/** As the browser would send it: with the button that was pressed. */
const fieldsOf = (form: HTMLFormElement, pressed: HTMLElement | null): FormData => {
  const fields = new FormData(form);
  if (pressed instanceof HTMLButtonElement && pressed.name !== '') fields.append(pressed.name, pressed.value);
  return fields;
};

const send = (form: HTMLFormElement, box: Box, pressed: HTMLElement | null): void => {
  const over = (text?: string): void => {
    delete box.request;
    delete form.dataset.sent;
    if (text === undefined) box.hidden = true;
    else said(box, text);
  };
  said(box);
  box.request = upload(form, fieldsOf(form, pressed), {
    progress: (percent) => {
      const [bar, shown] = [box.querySelector('progress'), box.querySelector('b')];
      if (bar) bar.value = percent;
      if (shown) shown.textContent = `${Math.floor(percent)} %`;
    },
    answered: shown,
    lost: () => over(box.dataset.lost),
    stopped: () => over(),
  });
};

const sent = (event: SubmitEvent): void => {
  const form = event.target as HTMLFormElement;
  const box = form.querySelector<Box>('[data-upload]');
  const file = fileOf(form);
  if (!box || !file) return;
  event.preventDefault();
  if (box.request) return;
  if (file.size <= Number(box.dataset.upload)) return send(form, box, event.submitter);
  delete form.dataset.sent;
  said(box, box.dataset.large);
};

const stopped = ({ target }: Event): void => {
  (target as Element).closest('[data-upload-stop]')?.closest<Box>('[data-upload]')?.request?.abort();
};

document.addEventListener('submit', sent);
document.addEventListener('click', stopped);
