// A voice message, recorded here and attached as what WhatsApp plays as one. Loaded when somebody records for the first time.
import {
  AdtsOutputFormat,
  BlobSource,
  BufferTarget,
  Conversion,
  Input,
  MP4,
  OggOutputFormat,
  Output,
  WEBM,
} from 'mediabunny';

const MOST_MS = 5 * 60_000;
const BITS_PER_SECOND = 32_000;

/** How browsers record, the best first, and what is made of it: the sound stays as it is, only what is around it changes. */
const WAYS = [
  { recorded: 'audio/ogg;codecs=opus', sent: 'audio/ogg', extension: 'ogg', made: undefined },
  { recorded: 'audio/webm;codecs=opus', sent: 'audio/ogg', extension: 'ogg', made: OggOutputFormat },
  { recorded: 'audio/mp4', sent: 'audio/aac', extension: 'aac', made: AdtsOutputFormat },
] as const;
type Way = (typeof WAYS)[number];

const remade = async (recorded: Blob, { sent, made: Format }: Way): Promise<Blob> => {
  if (Format === undefined) return recorded;
  const input = new Input({ source: new BlobSource(recorded), formats: [WEBM, MP4] });
  const target = new BufferTarget();
  const conversion = await Conversion.init({ input, output: new Output({ format: new Format(), target }) });
  await conversion.execute();
  return new Blob([target.buffer ?? new ArrayBuffer(0)], { type: sent });
};

const button = document.querySelector<HTMLButtonElement>('#composer [data-voice]');
const input = document.querySelector<HTMLInputElement>('#composer [name=file]');
const chosen = document.querySelector<HTMLElement>('#chosen');

const say = (text = ''): void => {
  const words = chosen?.querySelector('span');
  if (!chosen || !words) return;
  words.textContent = text;
  chosen.hidden = text === '';
};

const attach = (file: File): void => {
  if (!input) return;
  const files = new DataTransfer();
  files.items.add(file);
  input.files = files.files;
  input.dispatchEvent(new Event('change', { bubbles: true }));
};

const clock = (milliseconds: number): string => {
  const seconds = Math.floor(milliseconds / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
};

let recorder: MediaRecorder | undefined;

const record = async (): Promise<void> => {
  const way = WAYS.find(({ recorded }) => MediaRecorder.isTypeSupported(recorded));
  if (!way) throw new Error('It records nothing that WhatsApp plays');
  const stream = await navigator.mediaDevices.getUserMedia({ audio: true });
  const parts: Blob[] = [];
  const began = Date.now();
  const running = new MediaRecorder(stream, { mimeType: way.recorded, audioBitsPerSecond: BITS_PER_SECOND });
  const ticking = setInterval(() => {
    say(`${button?.dataset.recording} ${clock(Date.now() - began)}`);
    if (Date.now() - began > MOST_MS) running.stop();
  }, 250);
  running.ondataavailable = ({ data }) => parts.push(data);
  running.onstop = () => {
    clearInterval(ticking);
    for (const track of stream.getTracks()) track.stop();
    recorder = undefined;
    button?.setAttribute('aria-pressed', 'false');
    void remade(new Blob(parts, { type: way.recorded }), way)
      .then((sound) => attach(new File([sound], `${clock(Date.now() - began)}.${way.extension}`, { type: way.sent })))
      .catch(refused);
  };
  running.start();
  recorder = running;
  button?.setAttribute('aria-pressed', 'true');
};

const refused = (): void => say(button?.dataset.refused);

/** The first press starts it, the next one ends it. */
const pressed = (): void => {
  if (recorder) recorder.stop();
  else void record().catch(refused);
};

button?.addEventListener('click', pressed);
pressed();
