import { cut } from '@platform/runtime';
import type { Agent } from '../agents/public';
import type { ChatMessage } from '../model/public';
import type { Store } from '../stores/public';
import { visible } from '../tools/public';

export interface Wanted {
  readonly customerName?: string;
  readonly language: 'id' | 'en';
  readonly tone?: string;
  readonly maxCharacters: number;
}

const RULES = `Write one message with which this shop greets a customer who writes to it for the first time on WhatsApp.
Only the message itself, without Markdown, placeholders, prices or promises. Say nothing about the shop that does not stand here.`;

/** Text that others wrote, on one line: a name or a tone is no place for instructions. */
const oneLine = (text: string, most: number): string => cut(visible(text).replace(/\s+/g, ' ').trim(), most);

const shopLines = ({ name, facts: { description, address, hours } }: Store): string =>
  Object.entries({ 'Nama toko': name, Keterangan: description, Alamat: address, 'Jam buka': hours })
    .flatMap(([label, value]) => (value ? [`${label}: ${oneLine(value, 1_000)}`] : []))
    .join('\n');

/** In the language that is wanted: models answer in that of the question. */
const WISHES = {
  id: {
    customer: 'Nama pelanggan',
    tone: 'Nada',
    wish: (most: number) => `Tulis sapaan selamat datang dalam Bahasa Indonesia, paling banyak ${most} karakter.`,
  },
  en: {
    customer: 'Customer',
    tone: 'Tone',
    wish: (most: number) => `Write the welcome greeting in English, at most ${most} characters.`,
  },
} as const;

const wishOf = ({ customerName = '', language, tone = '', maxCharacters }: Wanted): string => {
  const words = WISHES[language];
  const [name, manner] = [oneLine(customerName, 60), oneLine(tone, 40)];
  return [
    ...(name ? [`${words.customer}: ${name}`] : []),
    ...(manner ? [`${words.tone}: ${manner}`] : []),
    words.wish(maxCharacters),
  ].join('\n');
};

/** What the small model is asked. */
export const welcomeMessages = (agent: Agent, store: Store, wanted: Wanted): ChatMessage[] => [
  { role: 'system', content: [agent.prompt.trim(), RULES, shopLines(store)].join('\n\n') },
  { role: 'user', content: wishOf(wanted) },
];
