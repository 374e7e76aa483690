import type { JSX } from 'preact';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';

/** Those that pages use; the sprite is made of them (`web/assets`). */
export const icons = [
  ...[
    'home',
    'message-circle',
    'receipt',
    'package',
    'dots',
    'search',
    'bell',
    'plus',
    'minus',
    'x',
    'check',
    'checks',
  ],
  ...['arrow-left', 'arrow-up', 'arrow-down', 'arrows-sort', 'chevron-right', 'chevron-down', 'filter', 'refresh'],
  ...['alert-triangle', 'info-circle', 'help', 'clock', 'history', 'calendar-due', 'archive', 'trash', 'edit', 'copy'],
  ...['users', 'user', 'user-plus', 'users-group', 'phone', 'mail', 'map-pin', 'tag', 'note', 'star', 'lock', 'key'],
  ...['discount', 'ticket', 'gift', 'shopping-cart', 'credit-card', 'wallet', 'cash', 'link', 'share', 'qrcode'],
  ...['building-store', 'building-warehouse', 'truck', 'arrows-exchange', 'category', 'stack-2', 'photo', 'printer'],
  ...[
    'download',
    'upload',
    'file-text',
    'file-download',
    'file-export',
    'file-import',
    'paperclip',
    'send',
    'microphone',
    'template',
  ],
  ...['device-mobile', 'device-mobile-off', 'messages', 'lifebuoy', 'robot', 'bolt', 'speakerphone', 'list-check'],
  ...[
    'chart-bar',
    'chart-line',
    'world',
    'world-www',
    'eye',
    'eye-off',
    'settings',
    'shield-check',
    'webhook',
    'logout',
  ],
  ...['player-pause', 'player-play', 'language'],
] as const;
export type IconName = (typeof icons)[number];

/** The address of the sprite. */
export const Sprite = createContext('');

/** One of the icons; what it means to whoever does not see it, unless words stand beside it. */
export const Icon = ({ name, label }: { readonly name: IconName; readonly label?: string }): JSX.Element => {
  const sprite = useContext(Sprite);
  return (
    <>
      <svg class="icon" aria-hidden="true">
        <use href={`${sprite}#${name}`} />
      </svg>
      {label === undefined ? null : <span class="sr">{label}</span>}
    </>
  );
};
