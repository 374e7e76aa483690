/** The back office as an application (W3C Web Application Manifest). It says nothing of a store: everybody gets the same. */
export const appManifest = (): string =>
  JSON.stringify({
    id: '/dashboard',
    name: 'Toko',
    short_name: 'Toko',
    lang: 'id',
    start_url: '/dashboard',
    scope: '/',
    display: 'standalone',
    background_color: '#ffffff',
    theme_color: '#0b6b45',
    icons: [
      { src: '/assets/icon-192.png', sizes: '192x192', type: 'image/png' },
      { src: '/assets/icon-512.png', sizes: '512x512', type: 'image/png' },
      { src: '/assets/icon-maskable.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
    ],
    shortcuts: [
      { name: 'Chat', url: '/chats' },
      { name: 'Pesanan', url: '/orders' },
    ],
  });
