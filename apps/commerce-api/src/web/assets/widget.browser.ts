// Runs on other people's pages: it leaves no name behind, keeps nothing of anybody, and touches nothing but its own element.

/** Of the shop; the answer that carries this script puts them around it (`features/shopfront/doors`). */
declare const WIDGET: {
  readonly id: string;
  readonly href: string;
  readonly title: string;
  readonly greeting: string;
  readonly color: string;
  readonly ink: string;
  readonly position: 'left' | 'right';
  /** Of the pages that may show it; of all where there are none. */
  readonly hosts: readonly string[];
};

const { id, href, title, greeting, color, ink, position, hosts } = WIDGET;

const STYLE = `
:host{all:initial}
div{position:fixed;${position}:16px;bottom:16px;bottom:calc(16px + env(safe-area-inset-bottom));z-index:2147483000;display:grid;gap:8px;justify-items:${position === 'left' ? 'start' : 'end'};max-width:min(300px,calc(100vw - 32px));font:600 15px/1.35 system-ui,sans-serif}
p{margin:0;padding:10px 14px;border-radius:14px;background:#fff;color:#14211b;font-weight:400;box-shadow:0 4px 18px #0003;overflow-wrap:anywhere}
a{display:inline-flex;align-items:center;gap:8px;min-height:48px;box-sizing:border-box;padding:8px 18px;border-radius:99px;background:${color};color:${ink};text-decoration:none;box-shadow:0 4px 18px #0004;overflow-wrap:anywhere}
a:focus-visible{outline:3px solid ${ink};outline-offset:-5px}
@media print{div{display:none}}`;

const element = (name: string, text: string): HTMLElement => {
  const made = document.createElement(name);
  made.textContent = text;
  made.dir = 'auto';
  return made;
};

const show = (): void => {
  const name = `shop-chat-${id}`;
  // The same script may stand on a page twice
  if (document.getElementById(name)) return;
  const host = document.createElement('div');
  host.id = name;
  const inside = host.attachShadow({ mode: 'open' });
  // No `<style>`: the page's own policy may forbid it
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(STYLE);
  inside.adoptedStyleSheets = [sheet];
  const box = document.createElement('div');
  if (greeting !== '') box.append(element('p', greeting));
  const link = element('a', title) as HTMLAnchorElement;
  Object.assign(link, { href, target: '_blank', rel: 'noopener noreferrer' });
  box.append(link);
  inside.append(box);
  document.body.append(host);
};

if (hosts.length === 0 || hosts.includes(location.hostname)) {
  if (document.body) show();
  else addEventListener('DOMContentLoaded', show, { once: true });
}
