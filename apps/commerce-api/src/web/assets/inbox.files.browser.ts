// What is attached to a message: seen before it is sent, how far it has come while it is, and kept while it has not arrived.
import { upload } from './upload.browser';

interface Parts {
  readonly form: HTMLFormElement;
  readonly area: HTMLTextAreaElement;
  /** It is sent; the page shows it. */
  arrived(page: Document): void;
}

export class Attachment {
  private request: XMLHttpRequest | undefined;
  private readonly input: HTMLInputElement | null;
  private readonly strip = document.getElementById('chosen');

  constructor(private readonly parts: Parts) {
    this.input = parts.form.querySelector('[name=file]');
    this.input?.addEventListener('change', () => this.show());
    this.strip?.querySelector('[data-unchoose]')?.addEventListener('click', () => this.takeOff());
  }

  get file(): File | undefined {
    return this.input?.files?.[0];
  }

  /** What is dropped or pasted is attached. */
  take(event: Event, files: FileList | undefined): void {
    if (!this.input || !files?.length || this.request) return;
    event.preventDefault();
    this.input.files = files;
    this.show();
  }

  /** With what is written as its caption; both stay until they have arrived. */
  send(): void {
    const { file, strip } = this;
    const { form, area } = this.parts;
    if (!file || !strip || this.request) return;
    if (file.size > Number(strip.dataset.most)) return this.say(strip.dataset.large);
    // What is typed from now on would be no part of what is sent
    area.readOnly = true;
    this.tell(0);
    this.request = upload(form, new FormData(form), {
      progress: (percent) => this.tell(percent),
      answered: (request) => this.answered(request, file),
      lost: () => this.over(strip.dataset.lost),
      stopped: () => this.over(file.name),
    });
  }

  private answered({ status, responseURL, responseText }: XMLHttpRequest, sent: File): void {
    const { pathname } = new URL(responseURL);
    const page = new DOMParser().parseFromString(responseText, 'text/html');
    if (pathname === location.pathname && status === 200) {
      this.over(this.file?.name);
      // Another one may have been chosen meanwhile
      if (this.file === sent) this.takeOff();
      return this.parts.arrived(page);
    }
    // The sign-in, which keeps what was written
    if (status === 200) return location.assign(responseURL);
    const why = page.querySelector('#composer .alert') ?? page.querySelector('h1');
    this.over(why?.textContent ?? this.strip?.dataset.lost);
  }

  /** While something is sent it is stopped, and stays. */
  private takeOff(): void {
    if (this.request) return this.request.abort();
    if (this.input) this.input.value = '';
    this.show();
  }

  private show(): void {
    const { file, strip } = this;
    const picture = strip?.querySelector('img');
    if (!strip || !picture) return;
    this.say(file?.name);
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

  private say(text = ''): void {
    const words = this.strip?.querySelector('span');
    if (words) words.textContent = text;
  }

  private tell(percent: number): void {
    const bar = this.strip?.querySelector('progress');
    if (!bar) return;
    bar.hidden = false;
    bar.value = percent;
    const shown = this.strip?.querySelector('b');
    if (shown) shown.textContent = `${Math.floor(percent)} %`;
  }

  private over(text: string | undefined): void {
    this.request = undefined;
    this.parts.area.readOnly = false;
    this.strip?.querySelector('progress')?.setAttribute('hidden', '');
    const shown = this.strip?.querySelector('b');
    if (shown) shown.textContent = '';
    this.say(text);
  }
}
