// What is attached to a message: seen before it is sent, how far it has come while it is, and kept while it has not arrived.
import { find, takeProof } from './inbox.kept.browser';
import { upload } from './upload.browser';

interface Parts {
  readonly form: HTMLFormElement;
  readonly area: HTMLTextAreaElement;
  /** It is sent; the page shows it. */
  arrived(page: Document): void;
  /** It was not; the form as it came back. */
  refused(page: Document): void;
}

export class Attachment {
  #request: XMLHttpRequest | undefined;
  /** From the press until it has arrived, or has not. */
  isBusy = false;
  readonly #input: HTMLInputElement | null;
  readonly #voice: HTMLButtonElement | null;
  readonly #strip = find('chosen');

  constructor(private readonly parts: Parts) {
    this.#input = parts.form.querySelector('[name=file]');
    this.#voice = parts.form.querySelector('[data-voice]');
    this.#input?.addEventListener('change', () => this.#show());
    this.#strip?.querySelector('[data-unchoose]')?.addEventListener('click', () => this.takeOff());
  }

  get file(): File | undefined {
    return this.#input?.files?.[0];
  }

  /** What is dropped or pasted is attached. */
  take(event: Event, files: FileList | undefined): void {
    if (!this.#input || !files?.length) return;
    // Or the browser would open it in place of the chat
    event.preventDefault();
    if (this.isBusy) return;
    this.#input.files = files;
    this.#show();
  }

  /**
   * With what is written as its caption, once `before` is over: what was written earlier. `isBehind`: some of that was not sent. File and caption
   * stay until they have arrived.
   */
  async send(before: Promise<unknown>, isBehind: () => boolean): Promise<void> {
    const [file, strip] = [this.file, this.#strip];
    if (!file || !strip || this.isBusy || this.#voice?.getAttribute('aria-pressed') === 'true') return;
    if (file.size > Number(strip.dataset.most)) return this.#say(strip.dataset.large);
    this.#hold(true);
    this.#tell(0);
    await before;
    // Taken off meanwhile
    if (!this.isBusy) return;
    if (isBehind()) return this.#over(strip.dataset.behind);
    this.#begin(file, strip);
  }

  #begin(file: File, { dataset }: HTMLElement): void {
    const { form } = this.parts;
    // What is disabled is no part of a form
    if (this.#input) this.#input.disabled = false;
    const fields = new FormData(form);
    // Of several that are dropped at once only the first is shown
    fields.set('file', file);
    this.#hold(true);
    this.#request = upload(form, fields, {
      progress: (percent) => this.#tell(percent),
      answered: (request) => this.#answered(request, file),
      lost: () => this.#over(dataset.lost),
      stopped: () => this.#over(this.file?.name),
    });
  }

  /** What is typed, chosen or recorded from now on would be no part of what is sent. */
  #hold(isBusy: boolean): void {
    this.isBusy = isBusy;
    this.parts.area.readOnly = isBusy;
    for (const control of [this.#input, this.#voice]) if (control) control.disabled = isBusy;
  }

  #answered({ status, responseURL, responseText }: XMLHttpRequest, sent: File): void {
    const { pathname } = new URL(responseURL);
    const page = new DOMParser().parseFromString(responseText, 'text/html');
    if (pathname === location.pathname && status === 200) {
      this.#over(this.file?.name);
      // A voice that was still being made may have come meanwhile
      if (this.file === sent) this.takeOff();
      return this.parts.arrived(page);
    }
    // The sign-in, which keeps what was written
    if (status === 200) return location.assign(responseURL);
    const why = page.querySelector('#composer .alert') ?? page.querySelector('h1');
    this.#over(why?.textContent ?? this.#strip?.dataset.lost);
    takeProof(this.parts.form, page);
    this.parts.refused(page);
  }

  /** While something is sent it is stopped, and stays. */
  takeOff(): void {
    if (this.#request) return this.#request.abort();
    if (this.isBusy) return this.#over(this.file?.name);
    if (this.#input) this.#input.value = '';
    this.#show();
  }

  #show(): void {
    const [file, strip] = [this.file, this.#strip];
    const picture = strip?.querySelector('img');
    if (!strip || !picture) return;
    this.#say(file?.name);
    strip.hidden = !file;
    picture.hidden = true;
    if (!file?.type.startsWith('image/')) return;
    const reader = new FileReader();
    reader.onload = () => {
      picture.src = reader.result as string;
      picture.hidden = false;
    };
    reader.readAsDataURL(file);
  }

  #say(text = ''): void {
    const words = this.#strip?.querySelector('span');
    if (words) words.textContent = text;
  }

  #tell(percent: number): void {
    const bar = this.#strip?.querySelector('progress');
    if (!bar) return;
    bar.hidden = false;
    bar.value = percent;
    const shown = this.#strip?.querySelector('b');
    if (shown) shown.textContent = `${Math.floor(percent)} %`;
  }

  #over(text: string | undefined): void {
    this.#request = undefined;
    this.#hold(false);
    this.#strip?.querySelector('progress')?.setAttribute('hidden', '');
    const shown = this.#strip?.querySelector('b');
    if (shown) shown.textContent = '';
    this.#say(text);
  }
}
