import type { Commerce } from '../commerce.fixture';
import type { signedIn } from './browser.fixture';

/** A word as long as people make them and longer, with what would be markup, end an attribute, or turn the line round. */
export const LONG =
  'Sepatu-Lari<script>alert(1)</script>-"Nusa"-\u202eEdisi-Ulang-Tahun-Kesepuluh-Warna-Hitam-Ukuran-Empat-Puluh-Dua';

/** Who has bought something in the shop of the pages. */
export const BUYER = '6281234567890';

/** Makes a row of the shop of the pages; resolves to its address. */
export type Maker = (shop: Awaited<ReturnType<typeof signedIn>>, commerce: Commerce) => Promise<string>;
