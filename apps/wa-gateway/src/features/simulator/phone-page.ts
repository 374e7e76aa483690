import { phonePageScript } from './phone-page.script';
import { phonePageStyle } from './phone-page.style';

/** The page at /sim: the shop's phone, which links a device, and a customer's phone, which chats with it (design 5.5). */
export const phonePage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>Simulated phones</title>
<style>${phonePageStyle}</style>
</head>
<body>
<header>
<h1>Simulated phones</h1>
<p>A pretended WhatsApp for development. Nothing here reaches a real phone.</p>
<p id="trouble" role="alert"></p>
</header>
<main>
<section aria-labelledby="shop-title">
<h2 id="shop-title">The shop's phone</h2>
<label for="device">Device</label>
<select id="device"></select>
<p>State: <span id="state" role="status">…</span></p>
<form id="linking" hidden>
<img id="qr" alt="QR code that links the device" hidden>
<p class="hint">A real phone would scan this code. Here a number is enough.</p>
<label for="shop">Number of the shop's phone</label>
<input id="shop" type="tel" value="628110000001" required>
<div class="row"><button class="main">Scan the code</button></div>
</form>
<div class="row"><button id="unlink" type="button" hidden>Log the device out</button></div>
<form id="new">
<label for="fresh">New device</label>
<div class="row"><input id="fresh" type="text" placeholder="toko-1" pattern="[A-Za-z0-9._\\-]{1,64}" autocomplete="off"><button>Create</button></div>
</form>
</section>
<section id="phone" aria-labelledby="customer-title">
<h2 id="customer-title">A customer's phone</h2>
<form id="who" class="row">
<input id="name" type="text" value="Budi" aria-label="Name" required>
<input id="nohp" type="tel" value="628123456789" aria-label="Number" required>
</form>
<div class="row">
<label class="check"><input id="reads" type="checkbox" checked> Reads at once</label>
<label class="check"><input id="offline" type="checkbox"> Flight mode</label>
</div>
<div id="chat" aria-live="polite" tabindex="0"><p class="empty">Loading…</p></div>
<div id="typing" role="status"></div>
<form id="compose">
<div class="row">
<input id="text" type="text" placeholder="Message" aria-label="Message" autocomplete="off">
<button id="write" class="main" disabled>Send</button>
</div>
<div class="row"><input id="file" type="file" aria-label="File"></div>
</form>
</section>
</main>
<script>${phonePageScript}</script>
</body>
</html>
`;
