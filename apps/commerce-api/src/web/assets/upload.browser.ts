// A form with a file on its way. `fetch` tells nobody how far an upload has come.

export interface Sending {
  /** Of a hundred. */
  progress(percent: number): void;
  answered(request: XMLHttpRequest): void;
  /** The connection broke off: whether it arrived is not known, and the form sent again counts once. */
  lost(): void;
  stopped(): void;
}

/** What can be stopped until it is answered. */
export const upload = (form: HTMLFormElement, fields: FormData, told: Sending): XMLHttpRequest => {
  const request = new XMLHttpRequest();
  request.upload.addEventListener('progress', ({ loaded, total }) => {
    if (total > 0) told.progress((loaded / total) * 100);
  });
  request.addEventListener('load', () => told.answered(request));
  request.addEventListener('error', () => told.lost());
  request.addEventListener('abort', () => told.stopped());
  // `form.action` would be the input of that name
  request.open('POST', form.getAttribute('action') ?? '');
  request.send(fields);
  return request;
};
