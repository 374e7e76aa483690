// What other features of this app may use.
export type { MediaService } from './media.service';
