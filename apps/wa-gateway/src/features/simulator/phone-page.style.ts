/** Styles of the page at /sim. */
export const phonePageStyle = `
:root { color-scheme: light dark; --ink: #14231d; --soft: #5c6f66; --line: #d8e0dc; --paper: #fff; --back: #eef2f0;
  --ours: #fff; --mine: #d6f5df; --accent: #0b7a4b; --read: #1a7fd4; --warn: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --ink: #e7efeb; --soft: #9db0a6; --line: #2c3a34; --paper: #17211d;
  --back: #0e1613; --ours: #1f2b26; --mine: #14492f; --accent: #35b37e; --read: #5db4ff; --warn: #ff8a80; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--back); color: var(--ink); font: 16px/1.4 system-ui, sans-serif; }
header { padding: 12px 16px; background: var(--paper); border-bottom: 1px solid var(--line); }
h1 { margin: 0; font-size: 18px; } h2 { margin: 0 0 8px; font-size: 16px; }
header p, .hint { margin: 2px 0 0; color: var(--soft); font-size: 14px; }
main { display: grid; gap: 16px; max-width: 920px; margin: 0 auto; padding: 16px; grid-template-columns: minmax(0, 1fr); }
@media (min-width: 760px) { main { grid-template-columns: 300px minmax(0, 1fr); align-items: start; } }
section { background: var(--paper); border: 1px solid var(--line); border-radius: 12px; padding: 16px; }
label { display: block; margin: 8px 0 2px; color: var(--soft); font-size: 14px; }
input, select, button { font: inherit; color: inherit; min-height: 44px; border-radius: 8px; border: 1px solid var(--line);
  background: var(--back); padding: 8px 12px; max-width: 100%; }
input[type=text], input[type=tel], select { width: 100%; }
button { cursor: pointer; } button.main { background: var(--accent); border-color: var(--accent); color: #fff; }
@media (prefers-color-scheme: dark) { button.main { color: #06140d; } }
button:disabled { opacity: .5; cursor: default; }
:focus-visible { outline: 3px solid var(--read); outline-offset: 1px; }
.row { display: flex; gap: 8px; flex-wrap: wrap; align-items: center; margin-top: 8px; }
.row > input { flex: 1 1 120px; width: auto; } .check { display: flex; align-items: center; gap: 6px; margin: 0; min-height: 44px; }
.check input { min-height: 0; width: 18px; height: 18px; }
#state { font-weight: 600; } #qr { display: block; width: 220px; height: 220px; margin: 12px auto 4px; background: #fff; border-radius: 8px; }
#phone { display: flex; flex-direction: column; min-height: 520px; }
#chat { flex: 1; min-height: 260px; max-height: 60vh; overflow-y: auto; margin: 12px -16px 0; padding: 12px 16px;
  background: var(--back); border-block: 1px solid var(--line); display: flex; flex-direction: column; gap: 6px; }
.bubble { max-width: 82%; padding: 6px 10px; border-radius: 10px; background: var(--ours); border: 1px solid var(--line);
  align-self: flex-start; overflow-wrap: anywhere; white-space: pre-wrap; }
.bubble.mine { align-self: flex-end; background: var(--mine); }
.bubble img { display: block; max-width: 100%; max-height: 220px; border-radius: 6px; } .bubble audio { max-width: 100%; }
.meta { display: block; text-align: right; color: var(--soft); font-size: 12px; } .viewed, .played { color: var(--read); }
.empty { margin: auto; color: var(--soft); text-align: center; }
#typing { min-height: 22px; color: var(--accent); font-size: 14px; padding-top: 4px; }
#trouble { color: var(--warn); margin: 8px 0 0; } #trouble:empty { display: none; }
[hidden] { display: none !important; }
`;
